import type { Account } from '@drover/cloud-sandbox';
import { pseudoParameters } from '../../../local/deployment/load-release.ts';
import { type SettledTemplate, settleRelease } from '../../../local/deployment/release-template.ts';

/** The stacks of the account. The sandbox has no CloudFormation: this carries out what `aws cloudformation` asks, and makes and deletes nothing. */
export type Stacks = Map<string, Stack>;

export interface Stack extends SettledTemplate {
  /** Of the template. */
  readonly parameterNames: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly status: 'CREATE_COMPLETE' | 'UPDATE_COMPLETE';
  /** A change set that nothing has carried out yet. */
  readonly proposed?: Stack;
}

interface CloudFormationContext {
  readonly account: Account;
  readonly stacks: Stacks;
  readonly outputs: Readonly<Record<string, string>>;
}

class Refused extends Error {}

/** The answer to a call of the query protocol: a status and XML. */
export function answerCloudFormation(form: URLSearchParams, context: CloudFormationContext) {
  try {
    return { status: 200, text: results[form.get('Action') ?? '']?.(form, context) ?? refuse('unknown') };
  } catch (error) {
    const { message } = error as Error;
    const text = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`;
    return { status: 400, text };
  }
}

const refuse = (message: string): never => {
  throw new Refused(message);
};

type Answer = (form: URLSearchParams, context: CloudFormationContext) => string;

const result = (action: string, xml: string): string =>
  `<${action}Response><${action}Result>${xml}</${action}Result></${action}Response>`;

const results: Readonly<Record<string, Answer>> = {
  DescribeStacks: (form, { stacks, outputs }) => {
    const name = form.get('StackName') ?? '';
    const stack = stackOf(name, stacks);
    const members = Object.keys(stack.Outputs).map(
      (key) =>
        `<member><OutputKey>${key}</OutputKey><OutputValue>${outputs[key] ?? 'other'}</OutputValue></member>`,
    );
    const described = `<StackName>${name}</StackName><StackStatus>${stack.status}</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime>`;
    return result(
      'DescribeStacks',
      `<Stacks><member>${described}<Outputs>${members.join('')}</Outputs></member></Stacks>`,
    );
  },
  GetTemplateSummary: (form, { stacks }) => {
    const { parameterNames } = stackOf(form.get('StackName') ?? '', stacks);
    const members = parameterNames.map((name) => `<member><ParameterKey>${name}</ParameterKey></member>`);
    return result('GetTemplateSummary', `<Parameters>${members.join('')}</Parameters>`);
  },
  CreateChangeSet: (form, context) => {
    const stackName = form.get('StackName') ?? '';
    if (form.get('Capabilities.member.1') !== 'CAPABILITY_NAMED_IAM')
      refuse('Requires capabilities : [CAPABILITY_NAMED_IAM]');
    const before = context.stacks.get(stackName);
    const parameters = parametersOf(form, before?.parameters ?? {});
    const template = templateOf(form, context);
    const settled = settleRelease(template, parameters, pseudoOf(stackName, context));
    const parameterNames = Object.keys(template.Parameters);
    for (const { Bucket, Key } of zipsOf(settled)) context.account.s3.operations.HeadObject({ Bucket, Key });
    const after: Stack = {
      ...settled,
      parameterNames,
      parameters,
      status: before ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE',
    };
    context.stacks.set(stackName, { ...(before ?? after), proposed: after });
    const arn = `arn:aws:cloudformation:${context.account.region}:${context.account.accountId}`;
    return result(
      'CreateChangeSet',
      `<Id>${arn}:changeSet/made/1</Id><StackId>${arn}:stack/${stackName}/1</StackId>`,
    );
  },
  DescribeChangeSet: () => result('DescribeChangeSet', '<Status>CREATE_COMPLETE</Status>'),
  ExecuteChangeSet: (form, { stacks }) => {
    const name = form.get('StackName') ?? '';
    stacks.set(name, stackOf(name, stacks).proposed ?? refuse(`ChangeSet of ${name} does not exist`));
    return result('ExecuteChangeSet', '');
  },
  DeleteStack: (form, { stacks }) => {
    stacks.delete(form.get('StackName') ?? '');
    return result('DeleteStack', '');
  },
};

const stackOf = (name: string, stacks: Stacks): Stack =>
  stacks.get(name) ?? refuse(`Stack with id ${name} does not exist`);

const pseudoOf = (stackName: string, { account: { accountId, region } }: CloudFormationContext) =>
  pseudoParameters({ stackName, accountId, region });

interface Template {
  readonly Parameters: Readonly<Record<string, unknown>>;
}

/** The template that the CLI has put into the bucket. */
function templateOf(form: URLSearchParams, { account }: CloudFormationContext): Template {
  const [Bucket, ...key] = new URL(form.get('TemplateURL') ?? '').pathname.slice(1).split('/');
  const { Body } = account.s3.operations.GetObject({ Bucket, Key: key.join('/') });
  return JSON.parse(Buffer.from(Body).toString('utf8')) as Template;
}

function parametersOf(form: URLSearchParams, before: Stack['parameters']): Stack['parameters'] {
  const given: Record<string, string> = {};
  for (let at = 1; form.has(`Parameters.member.${at}.ParameterKey`); at += 1) {
    const name = form.get(`Parameters.member.${at}.ParameterKey`) ?? '';
    const isKept = form.get(`Parameters.member.${at}.UsePreviousValue`) === 'true';
    const value = isKept ? before[name] : form.get(`Parameters.member.${at}.ParameterValue`);
    if (value !== undefined && value !== null) given[name] = value;
  }
  return given;
}

/** Lambda reads the zip of each function from the bucket. */
const zipsOf = ({ Resources }: SettledTemplate) =>
  Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => (Properties as { Code: { S3Bucket: string; S3Key: string } }).Code)
    .map(({ S3Bucket: Bucket, S3Key: Key }) => ({ Bucket, Key }));
