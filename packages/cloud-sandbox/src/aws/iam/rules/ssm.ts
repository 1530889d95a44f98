import { customerKeyArn } from '../../ssm/kms-key.ts';
import { tagContext } from '../context.ts';
import {
  type Requirement,
  type RuleQuestion,
  records,
  requestTagContext,
  type ServiceRule,
  text,
  texts,
} from './rule.ts';

const parameterArn = ({ accountId, region }: RuleQuestion, name: string): string =>
  name.startsWith('arn:')
    ? name
    : `arn:aws:ssm:${region}:${accountId}:parameter/${plainName(name).replace(/^\//, '').replace(/\/$/, '')}`;

/** A name without its selector (`name:version`, `name:label`). */
const plainName = (name: string): string => (name.startsWith('arn:') ? name : (name.split(':')[0] ?? ''));

function parameterNames({ input }: RuleQuestion): readonly string[] {
  const single = text(input, 'Name') ?? text(input, 'Path') ?? text(input, 'ResourceId');
  return single === undefined ? texts(input, 'Names') : [single];
}

/**
 * The key of a SecureString is used in the caller's name, through Parameter Store: the caller needs kms:Decrypt or
 * kms:Encrypt on it, with the parameter in the encryption context (Systems Manager user guide, KMS encryption).
 */
function keyRequirements(question: RuleQuestion, name: string): readonly Requirement[] {
  const { operation, input, region, lookup } = question;
  const writes = operation === 'PutParameter' && input['Type'] === 'SecureString';
  if (!writes && input['WithDecryption'] !== true) return [];
  const resource = writes
    ? customerKeyArn(text(input, 'KeyId'), question)
    : lookup.parameterKeyArn(plainName(name));
  if (resource === undefined) return [];
  const context = {
    'kms:ViaService': `ssm.${region}.amazonaws.com`,
    'kms:EncryptionContext:PARAMETER_ARN': parameterArn(question, name),
    'kms:EncryptionContextKeys': ['PARAMETER_ARN'],
  };
  return [{ action: writes ? 'kms:Encrypt' : 'kms:Decrypt', resource, context }];
}

/** AWS Systems Manager, Parameter Store: DescribeParameters takes only `*`, and the others are authorized on parameters. */
export const ssmRule: ServiceRule = (question) => {
  const { operation, input, lookup } = question;
  const action = `ssm:${operation}`;
  if (operation === 'DescribeParameters') return [{ action, resource: '*' }];
  const tags = requestTagContext(records(input, 'Tags'));
  return parameterNames(question).flatMap((name) => {
    const resource = parameterArn(question, name);
    const context = {
      ...tagContext(['aws:ResourceTag', 'ssm:resourceTag'], lookup.tags(resource)),
      ...tags,
      ...(operation === 'PutParameter' && { 'ssm:Overwrite': String(input['Overwrite'] === true) }),
      ...(operation === 'GetParametersByPath' && { 'ssm:Recursive': String(input['Recursive'] === true) }),
    };
    const tagging = operation === 'PutParameter' && records(input, 'Tags').length > 0;
    return [
      { action, resource, context },
      ...(tagging ? [{ action: 'ssm:AddTagsToResource', resource, context }] : []),
      ...keyRequirements(question, name),
    ];
  });
};
