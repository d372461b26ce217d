import "../app.js";
import "../offline.js";
