import * as autoScaling from '@aws-sdk/client-auto-scaling';
import * as ec2 from '@aws-sdk/client-ec2';
import { QueryShapeSerializer } from '@aws-sdk/core/protocols';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readForm } from '../../../src/aws/codec/form.ts';
import { type ClientModule, findOperation } from '../../../src/aws/codec/operation.ts';
import {
  awsQueryRules,
  decodeQuery,
  ec2QueryRules,
  type QueryRules,
} from '../../../src/aws/codec/query-decoder.ts';

const timestampFormat = { useTrait: true, default: 5 as const };
const common = { timestampFormat, httpBindings: false, xmlNamespace: '', serviceNamespace: '' };

/** Writes an input as the SDK's client does, and reads it as the front does. */
function roundTrip(
  client: ClientModule,
  name: string,
  { input, rules }: { input: unknown; rules: QueryRules },
): unknown {
  const operation = findOperation(client, name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const ec2Settings = { capitalizeKeys: true, flattenLists: true, serializeEmptyLists: false, ec2: true };
  const serializer = new QueryShapeSerializer({
    ...common,
    serializeEmptyLists: true,
    ...(rules === ec2QueryRules ? ec2Settings : {}),
  });
  serializer.write(operation.input, input);
  return decodeQuery(operation.input, readForm(new URLSearchParams(String(serializer.flush()))), rules);
}

const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed());
const date = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
/** With its key, as the API asks for it: a structure in which nothing is set leaves no trace in a form. */
const tag = fc.record({ Key: text, Value: text, PropagateAtLaunch: fc.boolean() }, { requiredKeys: ['Key'] });

test('every awsQuery request of the SDK is decoded unchanged', () => {
  const input = fc.record(
    {
      AutoScalingGroupName: text,
      MinSize: fc.integer(),
      NewInstancesProtectedFromScaleIn: fc.boolean(),
      AvailabilityZones: fc.array(text),
      Tags: fc.array(tag, { minLength: 1 }),
      LaunchTemplate: fc.record({ LaunchTemplateId: text, Version: text }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(input, (value) => {
      expect(
        roundTrip(autoScaling, 'CreateAutoScalingGroup', { input: value, rules: awsQueryRules }),
      ).toEqual(value);
    }),
  );
});

test('every ec2Query request of the SDK is decoded unchanged', () => {
  const input = fc.record(
    {
      ImageId: text,
      MinCount: fc.integer(),
      EbsOptimized: fc.boolean(),
      SecurityGroupIds: fc.array(text, { minLength: 1 }),
      TagSpecifications: fc.array(
        fc.record({
          ResourceType: fc.constant('instance'),
          Tags: fc.array(fc.record({ Key: text, Value: text }), { minLength: 1 }),
        }),
        { minLength: 1 },
      ),
      InstanceMarketOptions: fc.record({ SpotOptions: fc.record({ ValidUntil: date }) }),
      ClientToken: text,
    },
    { requiredKeys: ['ClientToken'] },
  );
  fc.assert(
    fc.property(input, (value) => {
      expect(roundTrip(ec2, 'RunInstances', { input: value, rules: ec2QueryRules })).toEqual(value);
    }),
  );
});

test('lists are decoded with and without "member", in the order of their numbers', () => {
  const operation = findOperation(autoScaling, 'DescribeAutoScalingGroups');
  if (operation === undefined) throw new Error('no operation');
  const read = (form: string) =>
    decodeQuery(operation.input, readForm(new URLSearchParams(form)), awsQueryRules);
  const expected = { AutoScalingGroupNames: ['a', 'b', 'c'] };
  const numbered = (prefix: string) => `${prefix}10=c&${prefix}2=b&${prefix}1=a`;
  expect(read(numbered('AutoScalingGroupNames.member.'))).toEqual(expected);
  expect(read(numbered('AutoScalingGroupNames.'))).toEqual(expected);
  expect(read('AutoScalingGroupNames=')).toEqual({ AutoScalingGroupNames: [] });
});

test.each(['MaxRecords=many', 'MaxRecords='])('%s is malformed', (form) => {
  const operation = findOperation(autoScaling, 'DescribeAutoScalingGroups');
  if (operation === undefined) throw new Error('no operation');
  expect(() => decodeQuery(operation.input, readForm(new URLSearchParams(form)), awsQueryRules)).toThrow(
    expect.objectContaining({ code: 'MalformedInput' }),
  );
});
