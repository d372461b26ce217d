import "../outbox_bar.js";
import "../app.js";
import "../formula.js";
