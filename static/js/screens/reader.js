import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../reader_pages.js";
import "../share.js";
import "../stream.js";
