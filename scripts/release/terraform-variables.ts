import { type ReleaseParameter, templateName } from './parameters.ts';

type Parameters = Readonly<Record<string, ReleaseParameter>>;

const own = `variable "stage" {
  description = "The stage: the stack and everything in it are named drover-STAGE"
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9-]{1,36}$", var.stage))
    error_message = "A stage has at most 36 letters, digits and dashes."
  }
}

variable "artifact_bucket" {
  description = "Your bucket for the zips and the template, in the region of the stack"
  type        = string
}

variable "artifact_prefix" {
  description = "What their keys begin with: empty, or with a slash at its end"
  type        = string
  default     = "drover/"
}

variable "release" {
  description = "The folder of the unpacked release. By default the one that contains this module"
  type        = string
  default     = null
}

variable "notification_topics" {
  description = "ARNs of SNS topics that hear of every change of the stack"
  type        = list(string)
  default     = []
}

variable "tags" {
  description = "Tags of the stack, besides drover.dev/cluster"
  type        = map(string)
  default     = {}
}
`;

/** The variables of the Terraform module: a parameter of the template is `drain_timeout`; null is the default of the template. Pure. */
export function terraformVariables(parameters: Parameters): string {
  return [own, ...Object.entries(parameters).map(variable), locals(parameters)].join('\n');
}

/** A variable of a module. */
interface DeclaredVariable {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** The variables of a text that `terraformVariables` has made. Pure. */
export const declaredVariables = (text: string): readonly DeclaredVariable[] =>
  [...text.matchAll(/^variable "(\w+)" \{\n([^]*?)^\}/gm)].map(([, name = '', body = '']) => ({
    name,
    description: JSON.parse(/^ {2}description = (".*")$/m.exec(body)?.[1] ?? '""') as string,
    type: /^ {2}type +?= (.*)$/m.exec(body)?.[1] ?? '',
    isRequired: !/^ {2}default /m.test(body),
  }));

export const variableName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function variable([name, { description, defaultValue, isRequired }]: readonly [
  string,
  ReleaseParameter,
]): string {
  const hint = defaultValue ? `. By default ${defaultValue}` : '';
  return [
    `variable "${variableName(name)}" {`,
    `  description = ${JSON.stringify(`${description}${hint}`)}`,
    '  type        = string',
    ...(isRequired ? [] : ['  default     = null']),
    '}',
    '',
  ].join('\n');
}

/** With the columns of `terraform fmt`. */
function locals(parameters: Parameters): string {
  const names = Object.keys(parameters);
  const width = Math.max(...names.map((name) => name.length));
  return [
    'locals {',
    '  parameters = { for name, value in {',
    ...names.map((name) => `    ${templateName(name).padEnd(width)} = var.${variableName(name)}`),
    '  } : name => value if value != null }',
    '}',
    '',
  ].join('\n');
}
