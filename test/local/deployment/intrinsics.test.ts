import { describe, expect, test } from 'vitest';
import { type References, resolve } from '../../../local/deployment/intrinsics.ts';
import { TemplateError } from '../../../scripts/deployment/template-error.ts';

const references: References = {
  ref: (name, where) => {
    if (name === 'AWS::Region') return 'eu-west-1';
    if (name === 'Queue') return 'https://sqs/queue';
    throw new TemplateError(where, `refers to ${name}`);
  },
  getAttribute: (logicalId, attribute) => `${logicalId}#${attribute}`,
  readParameter: (name) => `value of ${name}`,
};
const resolved = (value: unknown): unknown => resolve(value, references, 'here');

describe('an intrinsic is resolved as CloudFormation resolves it', () => {
  test.each<[string, unknown, unknown]>([
    ['Ref', { Ref: 'Queue' }, 'https://sqs/queue'],
    ['GetAtt as a list', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'Queue#Arn'],
    ['GetAtt as a text', { 'Fn::GetAtt': 'Nested.Outputs.Name' }, 'Nested#Outputs.Name'],
    ['Join of intrinsics', { 'Fn::Join': [':', ['arn', { Ref: 'AWS::Region' }]] }, 'arn:eu-west-1'],
    ['Join of a Split', { 'Fn::Join': ['-', { 'Fn::Split': [',', 'a,b'] }] }, 'a-b'],
    ['Split', { 'Fn::Split': ['/', { Ref: 'Queue' }] }, ['https:', '', 'sqs', 'queue']],
    ['Sub', { 'Fn::Sub': 'in ${AWS::Region}: ${Queue.Arn}' }, 'in eu-west-1: Queue#Arn'],
    [
      'Sub with variables',
      { 'Fn::Sub': ['${a}${AWS::Region}', { a: { Ref: 'Queue' } }] },
      'https://sqs/queueeu-west-1',
    ],
    ['Sub of a literal', { 'Fn::Sub': '${!Queue}' }, '${Queue}'],
    ['resolve:ssm', 'x{{resolve:ssm:/a/b}}', 'xvalue of /a/b'],
    ['nested', [{ deep: { Ref: 'AWS::Region' } }, 1, null], [{ deep: 'eu-west-1' }, 1, null]],
  ])('%s', (_, value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });
});

describe('an unknown intrinsic is refused with its path', () => {
  test.each<[string, unknown, string]>([
    ['an intrinsic', { a: [{ 'Fn::If': [] }] }, 'here.a[0]: the sandbox does not know the intrinsic Fn::If'],
    ['a reference', { Ref: 'Missing' }, 'here.Ref: refers to Missing'],
    ['a secret', '{{resolve:secretsmanager:x}}', 'does not resolve {{resolve:secretsmanager:x}}'],
    ['an invalid Join', { 'Fn::Join': 'x' }, 'here.Fn::Join: wants a list'],
  ])('%s', (_, value, message) => {
    expect(() => resolved(value)).toThrow(message);
  });
});
