output "stack_name" {
  description = "The name of the stack"
  value       = aws_cloudformation_stack.drover.name
}

output "outputs" {
  description = "The outputs of the stack: InboxQueueArn, AlarmTopicArn, HttpApiUrl and the others"
  value       = aws_cloudformation_stack.drover.outputs
}
