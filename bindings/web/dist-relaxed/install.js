import{install as i}from"./webnn.js";i();
