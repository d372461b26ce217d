"""What whoever runs the server sees and does: the state of the service, its clubs, and limits for one of them."""
