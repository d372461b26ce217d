import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../share_picture.js";
