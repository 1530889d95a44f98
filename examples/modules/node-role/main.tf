# The role and the instance profile of nodes: they read these parameters, with this key, and nothing else.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40"
    }
  }
}

data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

data "aws_region" "current" {}

locals {
  place = "${data.aws_region.current.name}:${data.aws_caller_identity.current.account_id}"
  arns  = [for name in var.parameters : "arn:${data.aws_partition.current.partition}:ssm:${local.place}:parameter${name}"]
}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.${data.aws_partition.current.dns_suffix}"]
    }
  }
}

data "aws_iam_policy_document" "boot" {
  statement {
    sid       = "ReadParameters"
    actions   = ["ssm:GetParameter"]
    resources = local.arns
  }

  statement {
    sid       = "DecryptThem"
    actions   = ["kms:Decrypt"]
    resources = [var.key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["ssm.${data.aws_region.current.name}.${data.aws_partition.current.dns_suffix}"]
    }

    condition {
      test     = "StringLike"
      variable = "kms:EncryptionContext:PARAMETER_ARN"
      values   = local.arns
    }
  }
}

resource "aws_iam_role" "this" {
  name               = var.name
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_iam_role_policy" "boot" {
  name   = "boot"
  role   = aws_iam_role.this.id
  policy = data.aws_iam_policy_document.boot.json
}

resource "aws_iam_instance_profile" "this" {
  name = var.name
  role = aws_iam_role.this.name
}
