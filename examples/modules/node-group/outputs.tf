output "names" {
  value = [for group in aws_autoscaling_group.this : group.name]
}
