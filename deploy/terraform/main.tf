# Drover from a release: the zips go to a bucket of yours, and CloudFormation makes the stack from the template of the release.
# Terraform does not make each resource itself, because a stack keeps its queues and rolls back as a whole.

locals {
  release  = coalesce(var.release, "${path.module}/..")
  template = "drover-${local.version}.template.json"
  zips     = fileset(local.release, "functions/*.zip")
}

resource "aws_s3_object" "zip" {
  for_each = local.zips

  bucket      = var.artifact_bucket
  key         = "${var.artifact_prefix}${each.value}"
  source      = "${local.release}/${each.value}"
  source_hash = filesha256("${local.release}/${each.value}")

  # The zips of the earlier release go after the update of the stack: CloudFormation reads them when it rolls back.
  lifecycle {
    create_before_destroy = true
  }
}

# The name has a hash, so that a new template is a new object, and CloudFormation reads it.
resource "aws_s3_object" "template" {
  bucket       = var.artifact_bucket
  key          = "${var.artifact_prefix}templates/${filesha256("${local.release}/${local.template}")}.json"
  source       = "${local.release}/${local.template}"
  content_type = "application/json"

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_cloudformation_stack" "drover" {
  # checkov:skip=CKV_AWS_124: the topics are a variable
  # The command `drover` finds the parts of a deployment by this name.
  name         = "drover-${var.stage}"
  template_url = "https://${var.artifact_bucket}.s3.${data.aws_region.current.name}.${data.aws_partition.current.dns_suffix}/${aws_s3_object.template.key}"
  capabilities = ["CAPABILITY_NAMED_IAM"]

  parameters = merge(
    {
      ArtifactBucket = var.artifact_bucket
      ArtifactPrefix = var.artifact_prefix
    },
    local.parameters,
  )

  notification_arns = var.notification_topics

  # `drover doctor` and the guards of a removal read the cluster from it.
  tags = merge(var.tags, { "drover.dev/cluster" = var.cluster })

  # A zip has to be there before the function that runs it.
  depends_on = [aws_s3_object.zip]

  timeouts {
    create = "30m"
    update = "30m"
    delete = "30m"
  }
}

data "aws_region" "current" {}

data "aws_partition" "current" {}
