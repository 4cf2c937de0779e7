// Provides `navigator.ml` if the browser does not.
import {install} from './webnn.js';

install();
