import "../app.js";
import "../words.js";
import "../offline.js";
