// Provides `navigator.ml` unless the browser does.
import {install} from './webnn.js';

install();
