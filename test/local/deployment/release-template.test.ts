import { describe, expect, test } from 'vitest';
import { settleRelease } from '../../../local/deployment/release-template.ts';

const release = (Resources: object, more: object = {}) => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'a template',
  Parameters: { Size: { Type: 'String', Default: 'small' }, Name: { Type: 'String', Default: '' } },
  Rules: {},
  Conditions: {
    IsLarge: { 'Fn::Equals': [{ Ref: 'Size' }, 'large'] },
    IsNamed: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Name' }, ''] }] },
    Both: { 'Fn::And': [{ Condition: 'IsLarge' }, { Condition: 'IsNamed' }] },
    Either: { 'Fn::Or': [{ Condition: 'IsLarge' }, { Condition: 'IsNamed' }] },
  },
  Resources,
  Outputs: {},
  ...more,
});
const pseudo = { 'AWS::StackName': 'stack' };
const settled = (Resources: object, parameters: Record<string, string> = {}) =>
  settleRelease(release(Resources), parameters, pseudo).Resources;
const one = (value: unknown, parameters?: Record<string, string>) =>
  settled({ One: { Type: 'T', Properties: { value } } }, parameters)['One']?.['Properties'];

test('a resource is there if its condition holds', () => {
  const resources = { One: { Type: 'T', Condition: 'Both' }, Two: { Type: 'T', Condition: 'Either' } };
  expect(Object.keys(settled(resources, { Size: 'large' }))).toEqual(['Two']);
  expect(settled(resources, { Size: 'large', Name: 'a' })).toEqual({
    One: { Type: 'T' },
    Two: { Type: 'T' },
  });
});

describe('a property', () => {
  const chosen = { 'Fn::If': ['IsLarge', 'l', { Ref: 'AWS::NoValue' }] };

  test('is chosen by its condition, and is missing without a value', () => {
    expect(one(chosen, { Size: 'large' })).toEqual({ value: 'l' });
    expect(one(chosen)).toEqual({});
    expect(one(['a', chosen, 'b'])).toEqual({ value: ['a', 'b'] });
  });

  test('has parameters in its texts, and keeps what refers to resources', () => {
    expect(one({ 'Fn::Sub': '${AWS::StackName}-${Size}' })).toEqual({ value: 'stack-small' });
    expect(one({ 'Fn::Sub': ['${Given}/${Queue.Arn}', { Given: chosen }] }, { Size: 'large' })).toEqual({
      value: { 'Fn::Sub': 'l/${Queue.Arn}' },
    });
    expect(one({ 'Fn::Select': [0, [{ Ref: 'Size' }, { Ref: 'Queue' }]] })).toEqual({ value: 'small' });
  });

  test('that is a policy document may be a text', () => {
    const Properties = { PolicyDocument: { 'Fn::Sub': '{"Statement":["${Size}"]}' } };
    expect(settled({ One: { Type: 'T', Properties } })['One']?.['Properties']).toEqual({
      PolicyDocument: { Statement: ['small'] },
    });
  });
});

test('what the sandbox cannot evaluate is refused by name', () => {
  expect(() => one({ 'Fn::If': ['IsHuge', 1, 2] })).toThrow('there is no condition IsHuge');
  const conditions = { Odd: { 'Fn::Contains': [['a'], 'a'] } };
  const odd = release({ One: { Type: 'T', Condition: 'Odd' } }, { Conditions: conditions });
  expect(() => settleRelease(odd, {}, pseudo)).toThrow(
    'Conditions.Odd: the sandbox does not know the condition function Fn::Contains',
  );
});
