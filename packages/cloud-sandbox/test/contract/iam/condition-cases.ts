import type { Cases } from '../../../truth/contract.ts';
import { all, allow, decides, fails, holds, type IamWorld } from './support.ts';

const tag = 'aws:PrincipalTag/team';
const age = 'aws:MultiFactorAuthAge';
const now = 'aws:CurrentTime';
const source = 'aws:SourceArn';
const keys = 'aws:TagKeys';
const topic = 'arn:aws:sns:eu-west-1:123456789012:topic:id';
const secure = 'aws:SecureTransport';

/** Conditions (IAM user guide, "IAM JSON policy elements: Condition operators", and for several values "Set operators"). */
export const conditionCases: Cases<IamWorld> = {
  'string operators compare with each value, and condition keys ignore case': all(
    holds('StringEquals', [tag, ['x', 'y']], { [tag]: 'y' }),
    holds('StringEquals', ['AWS:principaltag/TEAM', 'y'], { [tag]: 'y' }),
    fails('StringEquals', [tag, ['x', 'y']], { [tag]: 'Y' }),
    fails('StringEquals', [tag, 'x*'], { [tag]: 'xy' }),
    fails('StringEquals', [tag, []], { [tag]: 'y' }),
    holds('StringEqualsIgnoreCase', [tag, 'X'], { [tag]: 'x' }),
    holds('StringNotEquals', [tag, ['x', 'y']], { [tag]: 'z' }),
    fails('StringNotEquals', [tag, ['x', 'y']], { [tag]: 'y' }),
    fails('StringNotEqualsIgnoreCase', [tag, 'X'], { [tag]: 'x' }),
  ),
  'StringLike matches wildcards': all(
    holds('StringLike', [tag, 'a?c*'], { [tag]: 'abc' }),
    holds('StringLike', [tag, 'a.[b]*'], { [tag]: 'a.[b]c' }),
    fails('StringLike', [tag, 'a?c'], { [tag]: 'ac' }),
    fails('StringLike', [tag, 'A*'], { [tag]: 'ab' }),
    fails('StringNotLike', [tag, ['a*', 'b*']], { [tag]: 'bc' }),
    holds('StringNotLike', [tag, ['a*', 'b*']], { [tag]: 'c' }),
  ),
  'an absent key fails a condition, except for negated and IfExists operators': all(
    fails('StringEquals', [tag, 'x'], {}),
    fails('NumericLessThan', [age, '5'], {}),
    fails('Bool', [secure, 'true'], {}),
    fails('ArnLike', [source, '*'], {}),
    holds('StringNotEquals', [tag, 'x'], {}),
    holds('NumericNotEquals', [age, '5'], {}),
    holds('ArnNotLike', [source, topic], {}),
    holds('StringEqualsIfExists', [tag, 'x'], {}),
    holds('BoolIfExists', [secure, 'true'], {}),
    fails('StringEqualsIfExists', [tag, 'x'], { [tag]: 'y' }),
  ),
  'all conditions of a statement must hold': all(
    decides(
      [
        allow({
          Condition: { StringEquals: { [tag]: 'x', 'aws:username': 'u' }, Bool: { [secure]: 'true' } },
        }),
      ],
      'implicit-deny',
      { context: { [tag]: 'x', 'aws:username': 'u', [secure]: 'false' } },
    ),
    decides(
      [
        allow({
          Condition: { StringEquals: { [tag]: 'x', 'aws:username': 'u' }, Bool: { [secure]: 'true' } },
        }),
      ],
      'allowed',
      { context: { [tag]: 'x', 'aws:username': 'u', [secure]: 'true' } },
    ),
  ),
  'Null tests whether a key is absent': all(
    holds('Null', [tag, 'true'], {}),
    fails('Null', [tag, 'true'], { [tag]: '' }),
    holds('Null', [tag, 'false'], { [tag]: 'x' }),
    fails('Null', [tag, 'false'], {}),
    holds('Null', [tag, true], {}),
  ),
  'numeric operators compare numbers': all(
    holds('NumericEquals', [age, '5.0'], { [age]: '5' }),
    holds('NumericLessThan', [age, 10], { [age]: '9.5' }),
    fails('NumericLessThan', [age, '10'], { [age]: '10' }),
    holds('NumericLessThanEquals', [age, '10'], { [age]: '10' }),
    holds('NumericGreaterThan', [age, '9'], { [age]: '10' }),
    fails('NumericGreaterThanEquals', [age, '-1'], { [age]: '-2' }),
    fails('NumericNotEquals', [age, ['5', '6']], { [age]: '6' }),
  ),
  'date operators accept dates and seconds since 1970': all(
    holds('DateGreaterThan', [now, '2025-11-21T00:00:00Z'], { [now]: '2025-11-21T00:00:01Z' }),
    holds('DateEquals', [now, '2025-11-21T01:00:00+01:00'], { [now]: '2025-11-21T00:00:00Z' }),
    fails('DateLessThan', [now, '2025-11-21'], { [now]: '2025-11-21T00:00:00Z' }),
    holds('DateLessThanEquals', [now, '2025-11-21'], { [now]: '2025-11-21T00:00:00Z' }),
    fails('DateNotEquals', [now, '2025-11-21'], { [now]: '2025-11-21T00:00:00Z' }),
    holds('DateGreaterThanEquals', ['aws:EpochTime', '1763683200'], { 'aws:EpochTime': '1763683200' }),
  ),
  'date operators compare a date with seconds since 1970': holds('DateEquals', [now, '1763683200'], {
    [now]: '2025-11-21T00:00:00Z',
  }),
  'Bool ignores the case of true and false': all(
    holds('Bool', [secure, 'True'], { [secure]: 'true' }),
    holds('Bool', [secure, true], { [secure]: 'true' }),
    fails('Bool', [secure, 'false'], { [secure]: 'true' }),
    fails('Bool', [secure, 'yes'], { [secure]: 'yes' }),
  ),
  'ARN operators compare components with wildcards, also ArnEquals': all(
    holds('ArnEquals', [source, 'arn:aws:sns:*:*:top?c:*'], { [source]: topic }),
    holds('ArnLike', [source, 'arn:aws:sns:eu-*:123456789012:*'], { [source]: topic }),
    fails('ArnLike', [source, 'arn:aws:sns:*:topic:id'], { [source]: topic }),
    fails('ArnLike', [source, 'arn:aws:s*id'], { [source]: topic }),
    fails('ArnEquals', [source, '*'], { [source]: topic }),
    fails('ArnNotEquals', [source, 'arn:aws:sns:*:*:*'], { [source]: topic }),
    holds('ArnNotLike', [source, 'arn:aws:sqs:*:*:*'], { [source]: topic }),
  ),
  'ForAllValues needs all values to match, and ForAnyValue one': all(
    holds('ForAllValues:StringEquals', [keys, ['a', 'b', 'c']], { [keys]: ['a', 'b'] }),
    fails('ForAllValues:StringEquals', [keys, ['a']], { [keys]: ['a', 'b'] }),
    holds('ForAnyValue:StringEquals', [keys, ['b', 'c']], { [keys]: ['a', 'b'] }),
    fails('ForAnyValue:StringLike', [keys, 'c*'], { [keys]: ['a', 'b'] }),
    fails('ForAllValues:StringNotEquals', [keys, 'a'], { [keys]: ['a', 'b'] }),
    holds('ForAnyValue:StringNotEquals', [keys, 'a'], { [keys]: ['a', 'b'] }),
    fails('ForAnyValue:StringNotEquals', [keys, ['a', 'b']], { [keys]: ['a', 'b'] }),
  ),
  'ForAllValues matches without values, and ForAnyValue does not': all(
    holds('ForAllValues:StringEquals', [keys, 'a'], {}),
    holds('ForAllValues:StringEquals', [keys, 'a'], { [keys]: [] }),
    fails('ForAnyValue:StringEquals', [keys, 'a'], {}),
    fails('ForAnyValue:StringNotEquals', [keys, 'a'], {}),
    fails('ForAnyValue:StringEquals', [keys, 'a'], { [keys]: [] }),
  ),
  'a multivalued key needs a set operator': all(
    fails('StringEquals', [keys, 'a'], { [keys]: ['a'] }),
    fails('StringEquals', [keys, 'a'], { [keys]: ['a', 'b'] }),
  ),
  'a policy variable in a value is replaced literally by the value of its key': all(
    holds('StringEquals', [tag, '${aws:username}'], { [tag]: 'u', 'aws:username': 'u' }),
    holds('StringLike', [tag, '${aws:username}-*'], { [tag]: 'u-1', 'aws:username': 'u' }),
    fails('StringLike', [tag, '${aws:username}'], { [tag]: 'ux', 'aws:username': 'u*' }),
    holds('ArnLike', [source, 'arn:aws:sns:*:*:${aws:username}:*'], {
      [source]: topic,
      'aws:username': 'topic',
    }),
    fails('StringEquals', [tag, '${aws:username}'], { [tag]: 'u' }),
    fails('StringLike', [tag, 'u${*}'], { [tag]: 'ux' }),
  ),
  'a condition with a variable without value does not match, and its negation does': all(
    holds('StringNotEquals', [tag, '${aws:username}'], { [tag]: 'u' }),
    holds('StringNotLike', [tag, '${aws:username}*'], { [tag]: 'u' }),
  ),
  '${*} is a literal asterisk in StringEquals too': holds('StringEquals', [tag, 'u${*}'], {
    [tag]: 'u*',
  }),
  'policy variables work in string and ARN operators only': fails('Bool', [secure, '${aws:username}'], {
    [secure]: 'true',
    'aws:username': 'true',
  }),
};
