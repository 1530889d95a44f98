output "name" {
  value = aws_autoscaling_group.this.name
}
