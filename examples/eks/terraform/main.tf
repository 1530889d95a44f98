terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40"
    }
  }
}

provider "aws" {
  region = var.region

  ignore_tags {
    # What Drover writes to groups. A prefix would hide the tags that you declare yourself.
    keys = ["drover.dev/paused", "drover.dev/etcd-status"]
  }
}

# A release of Drover, unpacked beside this file: see the README.
module "drover" {
  source          = "./drover/terraform"
  stage           = var.cluster
  cluster         = var.cluster
  role_path       = var.drover_role_path
  artifact_bucket = var.artifact_bucket
  network         = "private"
  vpc_id          = var.vpc_id
  subnet_a        = var.subnet_ids[0]
  subnet_b        = var.subnet_ids[1]
  api_server_port = "443"
  # EKS approves certificates itself, and its nodes join by IAM.
  bootstrap    = "off"
  certificates = "off"
}

resource "aws_kms_key" "secrets" {
  description         = "The Secrets of the EKS cluster"
  enable_key_rotation = true
  policy              = data.aws_iam_policy_document.key.json
}

data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

locals {
  account   = data.aws_caller_identity.current.account_id
  partition = data.aws_partition.current.partition
}

data "aws_iam_policy_document" "key" {
  # checkov:skip=CKV_AWS_109: A key policy is about its own key, and leaves the decision to IAM
  # checkov:skip=CKV_AWS_111: The same
  # checkov:skip=CKV_AWS_356: The same
  statement {
    sid       = "Account"
    actions   = ["kms:*"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:${local.partition}:iam::${local.account}:root"]
    }
  }
}

data "aws_iam_policy_document" "trust" {
  for_each = toset(["eks.amazonaws.com", "ec2.${data.aws_partition.current.dns_suffix}"])

  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = [each.value]
    }
  }
}

resource "aws_iam_role" "cluster" {
  name               = "${var.cluster}-cluster"
  assume_role_policy = data.aws_iam_policy_document.trust["eks.amazonaws.com"].json
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:${local.partition}:iam::aws:policy/AmazonEKSClusterPolicy"
}

resource "aws_eks_cluster" "this" {
  name                      = var.cluster
  version                   = var.kubernetes_version
  role_arn                  = aws_iam_role.cluster.arn
  enabled_cluster_log_types = ["api", "audit", "authenticator", "controllerManager", "scheduler"]

  # Only access entries: the ConfigMap aws-auth is not used.
  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = false
  }

  encryption_config {
    resources = ["secrets"]

    provider {
      key_arn = aws_kms_key.secrets.arn
    }
  }

  vpc_config {
    subnet_ids              = var.subnet_ids
    endpoint_private_access = true
    endpoint_public_access  = false
  }

  depends_on = [aws_iam_role_policy_attachment.cluster]
}
