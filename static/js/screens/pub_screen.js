import "../outbox_bar.js";
import "../app.js";
import "../pub_screen.js";
import "../awake.js";
