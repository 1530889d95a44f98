variable "region" {
  type = string
}

variable "cluster" {
  description = "The cluster of the tag kubernetes.io/cluster/NAME"
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{0,35}$", var.cluster))
    error_message = "It is the stage of Drover too: at most 36 small letters, digits and dashes."
  }
}

variable "kubernetes_version" {
  type    = string
  default = "1.34"
}

variable "artifact_bucket" {
  description = "Your bucket for the zips of Drover"
  type        = string
}

variable "drover_role_path" {
  description = "The path of Drover's roles, with a slash at both ends"
  type        = string
  default     = "/"
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  description = "Private subnets, one in each of three zones"
  type        = list(string)
}

variable "administrator_arn" {
  description = "The IAM role of the administrators of the cluster"
  type        = string
}

variable "administrators_security_group_id" {
  description = "The security group of the machine with kubectl, which reaches the private endpoint"
  type        = string
}

variable "workers_size" {
  description = "In each zone. Zero until the user data is made"
  type        = number
  default     = 0
}

variable "workers_warm_pool_size" {
  description = "Instances in the warm pool of each zone; without a pool 0"
  type        = number
  default     = 0
}

variable "spot_size" {
  description = "Zero until the user data is made"
  type        = number
  default     = 0
}
