import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { s3Api } from '../../../../../shared/aws/api/s3-api.ts';
import type { AwsConnection } from '../../../../../shared/aws/connection.ts';

const directory = 'shared/aws/api';

/** Every operation of AWS that Drover calls, by what its adapters declare: the members of `Inputs`, and the methods for S3. */
export function operationsOfDrover(): readonly string[] {
  const declared = readdirSync(directory)
    .filter((file) => file.endsWith('-api.ts'))
    .flatMap((file) => inputsIn(readFileSync(join(directory, file), 'utf8')));
  return [...declared, ...s3Operations(), 'GetCallerIdentity'].sort();
}

const inputsIn = (source: string): readonly string[] => {
  const inputs = /^interface Inputs \{\n([\s\S]*?)^\}/m.exec(source)?.[1] ?? '';
  return [...inputs.matchAll(/^ {2}readonly (\w+):/gm)].flatMap(([, name = '']) => name);
};

/** What the methods for a bucket call that is not called as they are. */
const otherNames: Readonly<Record<string, string>> = { ListObjects: 'ListObjectsV2', GetRange: 'GetObject' };

function s3Operations(): readonly string[] {
  const api = s3Api({ connection: {} as AwsConnection, bucket: 'b' });
  return Object.keys(api)
    .filter((name) => name !== 'bucket')
    .map((name) => name.charAt(0).toUpperCase() + name.slice(1))
    .map((name) => otherNames[name] ?? name);
}
