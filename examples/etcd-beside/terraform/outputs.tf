output "endpoint" {
  value = "https://${aws_route53_record.endpoint.name}:6443"
}

output "alarm_topic" {
  value = module.drover.outputs["AlarmTopicArn"]
}

output "zone_id" {
  value = aws_route53_zone.cluster.zone_id
}
