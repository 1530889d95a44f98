import { isDeepStrictEqual } from 'node:util';
import type { ConfigMap, Secret } from 'kubernetes-types/core/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { forbiddenValue, invalidValue, tooLong } from './causes.ts';
import { configKeyProblems } from './names.ts';

const mostBytes = 1024 * 1024;

type Data = Readonly<Record<string, string>>;

export const configMapCauses = ({ data = {}, binaryData = {} }: ConfigMap): readonly StatusCause[] => [
  ...keyCauses({ ...data, ...binaryData }),
  // The server names no field here.
  ...(sizeOf(data, 'utf8') + sizeOf(binaryData, 'base64') > mostBytes ? [tooLong('[]', mostBytes)] : []),
];

export const secretCauses = ({ data = {} }: Secret): readonly StatusCause[] => [
  ...keyCauses(data),
  ...(sizeOf(data, 'base64') > mostBytes ? [tooLong('data', mostBytes)] : []),
];

const keyCauses = (data: Data): readonly StatusCause[] =>
  Object.keys(data).flatMap((key) =>
    configKeyProblems(key).map((problem) => invalidValue(`data[${key}]`, key, problem)),
  );

const sizeOf = (data: Data, encoding: BufferEncoding): number =>
  Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, encoding), 0);

type Immutable = Pick<ConfigMap, 'data' | 'binaryData' | 'immutable'>;

/** What was said to be immutable stays so. */
export function immutableCauses(previous: Immutable, next: Immutable): readonly StatusCause[] {
  if (previous.immutable !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  return [
    ...(next.immutable === true ? [] : [forbiddenValue('immutable', why)]),
    ...(isDeepStrictEqual(previous.data, next.data) ? [] : [forbiddenValue('data', why)]),
    ...(isDeepStrictEqual(previous.binaryData, next.binaryData) ? [] : [forbiddenValue('binaryData', why)]),
  ];
}

export const secretTypeCauses = (previous: Secret, next: Secret): readonly StatusCause[] =>
  previous.type === next.type ? [] : [invalidValue('type', next.type, 'field is immutable')];
