import * as z from 'zod/mini';
import { AwsError } from '../service.ts';

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
  DeletionPolicy: z.optional(z.enum(['Delete', 'Retain', 'RetainExceptOnCreate'])),
});

const templateSchema = z.object({
  Parameters: z.optional(z.record(z.string(), z.object({ Default: z.optional(z.string()) }))),
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.optional(z.record(z.string(), z.object({ Value: z.unknown() }))),
});

export type Template = z.output<typeof templateSchema>;

export const invalid = (message: string): AwsError => new AwsError({ code: 'ValidationError', message });

/** @throws ValidationError for what is not JSON with resources: the sandbox reads no YAML */
export function readTemplate(text: string): Template {
  const read = templateSchema.safeParse(parsed(text));
  if (!read.success) throw invalid(`Template format error: ${z.prettifyError(read.error)}`);
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`Template format error: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
}

/** What `Ref` and `${...}` stand for: parameters, pseudo parameters, and the ids of resources. */
export type References = Readonly<Record<string, string>>;

/** The values of the parameters. @throws ValidationError for one that is missing or not declared */
export function parametersOf({ Parameters = {} }: Template, given: References): References {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(Parameters, name));
  if (unknown.length > 0) throw invalid(`Parameters: [${unknown.join(', ')}] do not exist in the template`);
  const missing = Object.keys(Parameters).filter(
    (name) => given[name] === undefined && Parameters[name]?.Default === undefined,
  );
  if (missing.length > 0) throw invalid(`Parameters: [${missing.join(', ')}] must have values`);
  const defaults = Object.entries(Parameters).map(([name, { Default = '' }]) => [name, Default]);
  return { ...Object.fromEntries(defaults), ...given };
}

/** A part with `Ref` and `Fn::Sub` resolved. @throws ValidationError for another function, or an unknown name */
export function resolve(value: unknown, references: References): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, references));
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = [], ...others] = Object.entries(value);
  if (others.length === 0 && name === 'Ref') return reference(String(argument), references);
  if (others.length === 0 && name === 'Fn::Sub' && typeof argument === 'string')
    return argument.replaceAll(/\$\{([\w:]+)\}/g, (_, one: string) => reference(one, references));
  if (name?.startsWith('Fn::')) throw invalid(`Template error: this sandbox does not resolve ${name}`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, references)]));
}

function reference(name: string, references: References): string {
  const found = references[name];
  if (found === undefined)
    throw invalid(`Template format error: Unresolved resource dependencies [${name}] in the template`);
  return found;
}
