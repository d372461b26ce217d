"""What a monitoring system reads of the service: the page of metrics, and the state that it shows."""
