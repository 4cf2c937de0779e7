// Gives the page `navigator.ml`, unless the browser has one.
import {install} from './webnn.js';

install();
