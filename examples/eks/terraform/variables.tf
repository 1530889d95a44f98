variable "region" {
  type = string
}

variable "cluster" {
  description = "The cluster of the tag kubernetes.io/cluster/NAME"
  type        = string
}

variable "kubernetes_version" {
  type = string
  default = "1.34"
}

variable "artifact_bucket" {
  description = "Your bucket for the zips of Drover"
  type        = string
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  description = "Private subnets, one in each zone"
  type        = list(string)
}

variable "administrator_arn" {
  description = "The IAM role of the administrators of the cluster"
  type        = string
}

variable "workers_size" {
  description = "Zero until the user data is made"
  type        = number
  default     = 0
}
