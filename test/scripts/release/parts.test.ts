import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksumsOf, filePaths, filesUnder } from '../../../scripts/release/checksums.ts';
import { createPlacing } from '../../../scripts/release/place-parameters.ts';
import { splitPolicy } from '../../../scripts/release/policy-texts.ts';
import { terraformVariables, variableName } from '../../../scripts/release/terraform-variables.ts';

describe('a marker', () => {
  const chosen = { 'Fn::If': ['Has', { Ref: 'A' }, 'x'] };
  const placing = createPlacing([
    { text: 'zzaazz', expression: { Ref: 'A' } },
    { text: 'zzbbzz', expression: chosen },
    { text: 'zzcczz', expression: { Ref: 'C' } },
  ]);

  test('becomes its parameter, in a text a substitution, and of a choice a variable', () => {
    expect(placing.place('zzaazz')).toEqual({ Ref: 'A' });
    expect(placing.place('/aws/zzaazz')).toEqual({ 'Fn::Sub': '/aws/${A}' });
    expect(placing.place({ 'Fn::Sub': 'arn:${AWS::Region}:zzbbzz' })).toEqual({
      'Fn::Sub': ['arn:${AWS::Region}:${Value1}', { Value1: chosen }],
    });
  });

  test('leaves other texts alone, dollars included', () => {
    expect(placing.place('costs ${5}')).toBe('costs ${5}');
    expect(placing.place('${x} zzaazz')).toEqual({ 'Fn::Sub': '${!x} ${A}' });
  });

  test('that nothing has is named', () => {
    expect(placing.unused()).toContain('zzcczz');
    expect(placing.unused()).not.toContain('zzaazz');
  });
});

describe('a policy', () => {
  const plain = { Sid: 'Plain', Resource: '*' };
  const keyed = {
    Sid: 'Keyed',
    Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] },
    Condition: { 'tag/zzcc': ['owned'] },
  };
  const policy = (...Statement: unknown[]) => ({
    PolicyName: 'p',
    PolicyDocument: { Version: '2012-10-17', Statement },
  });

  test('stays as it is without the marker in a key', () => {
    expect(splitPolicy(policy(plain), 'zzcc')).toEqual([policy(plain)]);
  });

  test('has the statements with the marker in a key in a text of their own', () => {
    expect(splitPolicy(policy(plain, keyed), 'zzcc')).toEqual([
      policy(plain),
      {
        PolicyName: 'p-groups',
        PolicyDocument: {
          'Fn::Sub':
            '{"Version":"2012-10-17","Statement":[{"Sid":"Keyed","Resource":"${Queue.Arn}","Condition":{"tag/zzcc":["owned"]}}]}',
        },
      },
    ]);
  });

  test('is refused if the text would have to contain a choice', () => {
    const choosing = { ...keyed, Action: { 'Fn::If': ['A', 'b', 'c'] } };
    expect(() => splitPolicy(policy(choosing), 'zzcc')).toThrow('cannot be part of the text of a policy');
  });
});

test('checksums are lines that sha256sum reads, in the order of the paths', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'drover-checksums-'));
  for (const name of ['b', 'a']) await writeFile(join(directory, name), name);
  expect(await checksumsOf(directory, await filesUnder(directory))).toBe(
    'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a\n' +
      '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  b\n',
  );
  await rm(directory, { recursive: true });
});

test('the files of a release are in the order of their paths, however the file system lists them', () => {
  const entry = (parentPath: string, name: string, isFile = true) => ({
    parentPath,
    name,
    isFile: () => isFile,
  });
  const listed = [
    entry('/release', 'z'),
    entry('/release', 'b', false),
    entry('/release', 'c'),
    entry('/release/b', 'y'),
    entry('/release/b', 'a'),
  ];
  expect(filePaths('/release', listed)).toEqual(['b/a', 'b/y', 'c', 'z']);
});

test('a variable of Terraform is named in its way, and null unless it is required', () => {
  expect(variableName('etcdZoneId')).toBe('etcd_zone_id');
  const text = terraformVariables({
    cluster: { description: 'a "name"', isRequired: true },
    drainTimeout: { description: 'how long', defaultValue: '30m' },
  });
  expect(text).toContain('variable "cluster" {\n  description = "a \\"name\\""\n  type        = string\n}');
  expect(text).toContain(
    'description = "how long. By default 30m"\n  type        = string\n  default     = null',
  );
  expect(text).toContain('    DrainTimeout = var.drain_timeout\n');
  // CloudFormation takes no null: it has its own default for what is not given.
  expect(text).toContain('  } : name => value if value != null }\n');
});
