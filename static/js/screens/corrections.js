import "../outbox_bar.js";
import "../app.js";
import "../corrections.js";
