// Runs before the first paint: base.css shows either the controls for scripts or the plain ones, never first one and then the other.
document.documentElement.classList.add("js");
