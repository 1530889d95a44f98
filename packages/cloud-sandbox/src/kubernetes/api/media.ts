import type { ResourceDefinition } from '../resources/definition.ts';
import { noAcceptableType, notAcceptable } from './errors.ts';
import { failure } from './status-error.ts';

/** How the client wants objects: whole, as metadata only, or as a table for people. */
export type Representation = 'object' | 'metadata' | 'table';

export interface Form {
  readonly representation: Representation;
  readonly isYaml: boolean;
}

interface Range {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const served = /^(application\/(json|yaml|vnd\.kubernetes\.protobuf|\*)|\*\/\*)$/;
const versions = ['v1', 'v1beta1'];

/** The first form in the Accept header that this server has: where protobuf is asked for it is JSON. Throws 406. */
export function formOf(accept = ''): Form & { readonly as: string } {
  const ranges = accept.trim() === '' ? [] : accept.split(',').map(readRange);
  const known = ranges.filter(({ type }) => served.test(type));
  if (ranges.length > 0 && known.length === 0) throw noAcceptableType();
  const range = known.find(isServed);
  if (known.length > 0 && range === undefined) throw notAcceptable();
  const as = range?.parameters.get('as') ?? '';
  const representation = as === 'Table' ? 'table' : as === '' ? 'object' : 'metadata';
  return { as, representation, isYaml: range?.type === 'application/yaml' };
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const pairs = parameters.map((parameter) => parameter.split('=') as [string, string]);
  return { type, parameters: new Map(pairs) };
}

function isServed({ parameters }: Range): boolean {
  const as = parameters.get('as');
  if (as === undefined) return true;
  const isForm = /^(Table|PartialObjectMetadata(List)?)$/.test(as);
  return isForm && parameters.get('g') === 'meta.k8s.io' && versions.includes(parameters.get('v') ?? '');
}

/** Metadata of one object and of a list have names of their own. Throws 406 for the other. */
export function checkForm(accept: string | undefined, { kind }: ResourceDefinition, verb: string): void {
  const { as, isYaml } = formOf(accept);
  const isList = verb === 'list' || verb === 'deletecollection';
  if (verb === 'watch' && isYaml) throw notAcceptable(streams);
  if (as === 'PartialObjectMetadata' && isList)
    throw otherForm(`${as}, but the requested object is a list (*core.${kind}List)`);
  if (as === 'PartialObjectMetadataList' && !isList && verb !== 'watch')
    throw otherForm(`${as}, but the requested object is not a list (*core.${kind})`);
}

const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

const otherForm = (what: string) =>
  failure({ code: 406, reason: 'NotAcceptable', message: `you requested ${what}` });
