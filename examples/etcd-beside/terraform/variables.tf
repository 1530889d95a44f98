variable "region" {
  type = string
}

variable "cluster" {
  description = "The cluster of the tag kubernetes.io/cluster/NAME"
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9-]{0,26}[a-z0-9])?$", var.cluster))
    error_message = "The load balancer is named CLUSTER-api: at most 28 small letters, digits and dashes, no dash at an end."
  }
}

variable "artifact_bucket" {
  description = "Your bucket for the zips of Drover"
  type        = string
}

variable "snapshot_bucket" {
  description = "Your bucket for the snapshots of etcd"
  type        = string
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  description = "Private subnets, one in each of three zones"
  type        = list(string)
}

variable "zone_name" {
  description = "The zone of the cluster, such as prod.example.com"
  type        = string
}

variable "parent_zone_id" {
  description = "The public hosted zone example.com, which gets the NS record. Defaults to null: the zone is private to the VPC, and needs no parent"
  type        = string
  default     = null
}

variable "image_id" {
  description = "The image: kubeadm, kubelet, containerd, etcd, curl, the AWS CLI"
  type        = string
}

variable "nodes_key_arn" {
  description = "The KMS key of the parameters that nodes read"
  type        = string
}

variable "administrators_security_group_id" {
  description = "The security group of the machine with kubectl and drover, which reaches the API server and etcd"
  type        = string
}

variable "size" {
  description = "1, 3 or 5. Only for the first apply: Drover and you change it afterwards"
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 3, 5], var.size)
    error_message = "etcd needs an odd number of members: 1, 3 or 5."
  }
}

variable "deletion_protection" {
  description = "Of the load balancer. Set it to false before you destroy the cluster"
  type        = bool
  default     = true
}
