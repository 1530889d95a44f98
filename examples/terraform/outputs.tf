output "autoscaling_group_name" {
  description = "The group, for `drover status` and `drover scale`."
  value       = aws_autoscaling_group.workers.name
}
