variable "name" {
  type = string
}

variable "parameters" {
  description = "The names of the parameters that the nodes read at boot"
  type        = list(string)
}

variable "key_arn" {
  description = "The KMS key of these parameters"
  type        = string
}
