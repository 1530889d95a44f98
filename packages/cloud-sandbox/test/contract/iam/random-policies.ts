import * as fc from 'fast-check';
import { accountId, type IamQuestion, roleArn, sessionArn } from './support.ts';

const action = fc.constantFrom('s3:GetObject', 's3:PutObject', 's3:DeleteObject');
const actionPattern = fc.constantFrom(
  '*',
  's3:*',
  's3:GetObject',
  'S3:get*',
  's3:?utObject',
  's3:*Object',
  'sqs:*',
);
const object = fc
  .constantFrom('key', 'kez', 'red/key', 'red', 'axb', 'k.y')
  .map((key) => `arn:aws:s3:::bucket/${key}`);
const team = '${aws:PrincipalTag/team}';
const resourcePattern = fc.constantFrom(
  '*',
  'arn:aws:s3:*',
  'arn:aws:s3:::bucket/*',
  'arn:aws:s3:::b?cket/k*',
  'arn:aws:s3:::other/*',
  'arn:*:s3:*:*:bucket/red*',
  'arn:aws:s3:eu-west-1::bucket/*',
  `arn:aws:s3:::bucket/${team}`,
  `arn:aws:s3:::bucket/${team}/*`,
  "arn:aws:s3:::bucket/${aws:PrincipalTag/team, 'key'}",
  'arn:aws:s3:::bucket/a${*}b',
  'arn:aws:s3:::bucket/ke${?}',
);
/** iam-simulate differs where what is left out has a variable without a value. */
const leftOutResource = resourcePattern.filter((pattern) => !pattern.includes(team));

const oneOrMany = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }));

const words = fc.constantFrom('red', 'Red', 'blue', 're?', 'r*', '');
const numbers = fc.constantFrom('-1', '0', '1.5', '2', '10');
const times = fc.constantFrom(
  '2025-11-20',
  '2025-11-21T00:00:00Z',
  '2025-11-21T01:00:00+01:00',
  '2026-01-01T00:00:00Z',
);
const topic = (id: string): string => `arn:aws:sns:eu-west-1:${accountId}:${id}`;
const topics = fc.constantFrom(topic('red'), topic('red:sub'), topic('blue'), 'arn:aws:sqs:eu-west-1:1:red');
const topicPatterns = fc.constantFrom(
  topic('red'),
  topic('r*'),
  topic('*'),
  'arn:aws:sns:*:*:red',
  'arn:*:*:*:*:*red',
);
const booleans = fc.constantFrom('true', 'false');

/** The keys of a request by their type: what it may have, and what a policy may ask. */
const texts = { keys: ['aws:PrincipalTag/team', 'aws:username', 'aws:RequestTag/team'], values: words };
const kinds = [
  {
    ...texts,
    operators: ['StringEquals', 'StringNotEquals', 'StringEqualsIgnoreCase', 'StringNotEqualsIgnoreCase'],
    asked: words,
  },
  { ...texts, operators: ['StringLike', 'StringNotLike'], asked: words },
  // Where a variable has no value iam-simulate fails what negates, too.
  { ...texts, operators: ['StringEquals', 'StringLike'], asked: fc.constantFrom(team, `${team}*`, 'r${$}') },
  {
    keys: ['aws:MultiFactorAuthAge'],
    values: numbers,
    operators: ['Equals', 'NotEquals', 'LessThan', 'LessThanEquals', 'GreaterThan', 'GreaterThanEquals'].map(
      (comparison) => `Numeric${comparison}`,
    ),
    asked: numbers,
  },
  {
    keys: ['aws:CurrentTime'],
    values: times,
    operators: ['Equals', 'NotEquals', 'LessThan', 'LessThanEquals', 'GreaterThan', 'GreaterThanEquals'].map(
      (comparison) => `Date${comparison}`,
    ),
    asked: times,
  },
  {
    keys: ['aws:SecureTransport', 'aws:ViaAWSService'],
    values: booleans,
    operators: ['Bool'],
    asked: booleans,
  },
  {
    keys: ['aws:SourceArn'],
    values: topics,
    operators: ['ArnEquals', 'ArnLike', 'ArnNotEquals', 'ArnNotLike'],
    asked: topicPatterns,
  },
] as const;

const single = fc
  .constantFrom(...kinds)
  .chain(({ keys, operators, asked }) =>
    fc
      .tuple(
        fc.constantFrom(...operators),
        fc.constantFrom('', 'IfExists'),
        fc.constantFrom(...keys),
        oneOrMany<string>(asked),
      )
      .map(([operator, suffix, key, values]) => ({ [`${operator}${suffix}`]: { [key]: values } })),
  );
const multiple = fc
  .tuple(
    fc.constantFrom('ForAllValues:', 'ForAnyValue:'),
    fc.constantFrom(
      'StringEquals',
      'StringNotEquals',
      'StringLike',
      'StringNotLike',
      'StringEqualsIgnoreCase',
    ),
    oneOrMany(words),
  )
  .map(([quantifier, operator, values]) => ({ [`${quantifier}${operator}`]: { 'aws:TagKeys': values } }));
const absence = fc
  .tuple(fc.constantFrom('aws:PrincipalTag/team', 'aws:username', 'aws:TagKeys'), booleans)
  .map(([key, value]) => ({ Null: { [key]: value } }));

const condition = fc
  .array(fc.oneof({ weight: 4, arbitrary: single }, multiple, absence), { maxLength: 2 })
  .map((blocks) => Object.assign({}, ...blocks) as object);

const actions = fc.oneof(
  { weight: 3, arbitrary: fc.record({ Action: oneOrMany(actionPattern) }) },
  fc.record({ NotAction: oneOrMany(actionPattern) }),
);
const resources = fc.oneof(
  { weight: 3, arbitrary: fc.record({ Resource: oneOrMany(resourcePattern) }) },
  fc.record({ NotResource: oneOrMany(leftOutResource) }),
);
const effect = fc.record({ Effect: fc.constantFrom('Allow', 'Allow', 'Deny') });
const statement = fc
  .tuple(effect, actions, resources, fc.option(condition, { nil: undefined }))
  .map(([one, what, where, Condition]) => ({ ...one, ...what, ...where, ...(Condition && { Condition }) }));

const principal = fc.constantFrom(
  '*',
  { AWS: '*' },
  { AWS: accountId },
  { AWS: [`arn:aws:iam::${accountId}:root`] },
  { AWS: roleArn },
  { AWS: sessionArn },
  { AWS: [`${roleArn}2`, '210987654321'] },
  { Service: 'events.amazonaws.com' },
);
const resourceStatement = fc.tuple(statement, principal).map(([rest, Principal]) => ({ ...rest, Principal }));

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const context = fc.record(
  {
    'aws:PrincipalTag/team': maybe(fc.constantFrom('red', 'Red', 'blue', 'r*')),
    'aws:username': maybe(words),
    'aws:RequestTag/team': maybe(words),
    'aws:MultiFactorAuthAge': maybe(numbers),
    'aws:CurrentTime': maybe(times),
    'aws:SecureTransport': maybe(booleans),
    'aws:ViaAWSService': maybe(booleans),
    'aws:SourceArn': maybe(topics),
    'aws:TagKeys': maybe(fc.array(fc.constantFrom('red', 'Red', 'blue'), { maxLength: 2 })),
  },
  { requiredKeys: [] },
);

const documentOf = (statements: readonly object[]) => ({ Version: '2012-10-17', Statement: statements });

/** Calls with policies of every operator, on both sides, that speak of few things, so that they meet often. */
export const randomQuestion: fc.Arbitrary<IamQuestion> = fc.record({
  action,
  resource: object,
  context,
  policies: fc.array(fc.array(statement, { minLength: 1, maxLength: 3 }).map(documentOf), { maxLength: 2 }),
  resourcePolicy: maybe(fc.array(resourceStatement, { minLength: 1, maxLength: 2 }).map(documentOf)),
});
