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

variable "zone_id" {
  description = "The hosted zone of the VPC"
  type        = string
}

variable "zone_name" {
  description = "Its name, such as prod.example.internal"
  type        = string
}

variable "image_id" {
  description = "The image of nodes: kubeadm, kubelet, containerd, curl, the AWS CLI"
  type        = string
}

variable "etcd_image_id" {
  description = "The image of members: etcd, the AWS CLI"
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

variable "etcd_size" {
  description = "Zero at first"
  type        = number
  default     = 0
}

variable "control_plane_size" {
  description = "Zero at first"
  type        = number
  default     = 0
}

variable "workers_size" {
  description = "In each zone. Zero at first"
  type        = number
  default     = 0
}

variable "workers_warm_pool_size" {
  description = "Instances in the warm pool of each zone; without a pool 0"
  type        = number
  default     = 0
}

variable "spot_size" {
  description = "Zero at first"
  type        = number
  default     = 0
}
