//! Tests the features `serde` and `tracing`.
#[cfg(feature = "serde")]
mod serde_forms {
    use serde_json::json;
    use webnn::{Context, DataType, Limits, NamedDescriptor};

    #[test]
    fn descriptors_have_the_names_of_the_specification() {
        let descriptor = NamedDescriptor { name: "x".into(), data_type: DataType::Float16, shape: vec![2, 3] };
        let value = serde_json::to_value(&descriptor).unwrap();
        assert_eq!(value, json!({"name": "x", "dataType": "float16", "shape": [2, 3]}));
        assert_eq!(serde_json::from_value::<NamedDescriptor>(value).unwrap(), descriptor);
        for data_type in DataType::ALL {
            let text = serde_json::to_string(data_type).unwrap();
            assert_eq!(text, format!("\"{}\"", data_type.name()));
            assert_eq!(serde_json::from_str::<DataType>(&text).unwrap(), *data_type);
        }
        let error = serde_json::from_str::<DataType>("\"float64\"").unwrap_err().to_string();
        assert!(error.contains("float64") && error.contains("float32, float16"), "{error}");
    }

    #[test]
    fn limits_survive() {
        let limits = Context::new().unwrap().limits().unwrap();
        let value = serde_json::to_value(&limits).unwrap();
        assert_eq!(value["preferredInputLayout"], limits.preferred_input_layout.name());
        assert_eq!(value["input"]["maxRank"], limits.input.max_rank);
        assert_eq!(serde_json::from_value::<Limits>(value).unwrap(), limits);
    }
}

#[cfg(feature = "tracing")]
mod tracing_spans {
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::{Context as LayerContext, Layer, SubscriberExt};
    use webnn::{Context, DataType, GraphBuilder, LoadOptions, Result};

    /// Records the name, level and fields of each span of webnn, and the end of each span.
    struct Record(Arc<Mutex<Vec<String>>>);

    struct Fields(String);

    impl tracing::field::Visit for Fields {
        fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
            self.0 += &format!(" {}={value:?}", field.name());
        }
    }

    impl<S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>> Layer<S> for Record {
        fn on_new_span(&self, attributes: &tracing::span::Attributes<'_>, _: &tracing::span::Id, _: LayerContext<'_, S>) {
            let metadata = attributes.metadata();
            if metadata.target() == "webnn" {
                let mut fields = Fields(format!("{} {}", metadata.level(), metadata.name()));
                attributes.record(&mut fields);
                self.0.lock().unwrap().push(fields.0);
            }
        }

        fn on_close(&self, id: tracing::span::Id, context: LayerContext<'_, S>) {
            let span = context.span(&id).unwrap();
            if span.metadata().target() == "webnn" {
                self.0.lock().unwrap().push(format!("end of {}", span.name()));
            }
        }
    }

    #[test]
    fn builds_and_runs_have_spans() -> Result<()> {
        let record = Arc::default();
        let subscriber = tracing_subscriber::registry().with(Record(Arc::clone(&record)));
        let _guard = tracing::subscriber::set_default(subscriber);
        let context = Context::new()?;
        let builder = GraphBuilder::new(&context)?;
        let x = builder.input("x", DataType::Float32, &[1])?;
        let graph = builder.build(&[("y", builder.neg(x)?)])?;
        graph.compute(&[(&[1f32]).into()], &mut [(&mut [0f32]).into()])?;
        let (x, y) = (context.create_tensor::<f32>(&[1])?, context.create_tensor::<f32>(&[1])?);
        context.dispatch(&graph, &[("x", &x)], &[("y", &y)])?;
        assert!(context.load_bytes("no graph", LoadOptions::default()).is_err());
        let expected = [
            "INFO build outputs=1",
            "end of build",
            "DEBUG compute inputs=1 outputs=1",
            "end of compute",
            "DEBUG dispatch inputs=1 outputs=1",
            "end of dispatch",
            "INFO load",
            "end of load",
        ];
        assert_eq!(*record.lock().unwrap(), expected);
        Ok(())
    }
}
