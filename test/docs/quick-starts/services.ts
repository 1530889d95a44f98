import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cloud } from '@drover/cloud-sandbox';
import { openHttpDoor, readBody } from '@drover/cloud-sandbox/wire';
import { answerCloudFormation, type Stacks } from './cloud-formation.ts';

interface ServicesParts {
  readonly cloud: Cloud;
  readonly clusterName: string;
  readonly cluster: { readonly endpoint: string; readonly certificateAuthority: { readonly data: string } };
  /** Of the stack. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Called once the page has stored a kubeconfig. */
  readonly letIn: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** What the quick starts ask of services that the sandbox does not have: CloudFormation, clusters of EKS, Lambda's invocations. */
export async function openServices({ cloud, clusterName, cluster, ...parts }: ServicesParts) {
  const stacks: Stacks = new Map();
  /** The groups of each role that has an access entry. */
  const accessEntries = new Map<string, readonly string[]>();
  const { account } = cloud;
  const answers: Readonly<Record<string, (body: string, name: string) => Promise<Answer> | Answer>> = {
    'POST /': (body) => {
      const form = new URLSearchParams(body);
      return { type: 'text/xml', ...answerCloudFormation(form, { account, stacks, outputs: parts.outputs }) };
    },
    'POST /let-in': async () => {
      await parts.letIn();
      return json({});
    },
    [`GET /clusters/${clusterName}`]: () =>
      json({
        cluster: {
          name: clusterName,
          arn: `arn:aws:eks:${account.region}:${account.accountId}:cluster/${clusterName}`,
          status: 'ACTIVE',
          ...cluster,
        },
      }),
    [`POST /clusters/${clusterName}/access-entries`]: (body) => {
      const entry = JSON.parse(body) as { principalArn: string; kubernetesGroups: readonly string[] };
      accessEntries.set(entry.principalArn, entry.kubernetesGroups);
      return json({ accessEntry: { clusterName, ...entry } });
    },
    [`GET /clusters/${clusterName}/access-entries`]: () => json({ accessEntries: [...accessEntries.keys()] }),
    'POST /2015-03-31/functions': async (_, name) => {
      const outcome = await cloud.lambda.invoke(name.replace(`drover-${clusterName}-`, ''), {});
      if (outcome.kind !== 'succeeded') return { status: 500, type: 'text/plain', text: outcome.kind };
      return json(outcome.result ?? null);
    },
  };
  const deleteEntry = (_: string, url: string) => ({
    ...json({}),
    status: accessEntries.delete(decodeURIComponent(url.split('/').at(-1) ?? '')) ? 200 : 404,
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await readBody(request, 1_000_000))?.toString() ?? '';
    const [, path = '', name = ''] =
      /^(\/2015-03-31\/functions)\/(.*)\/invocations$/.exec(request.url ?? '') ?? [];
    const found =
      request.method === 'DELETE' ? deleteEntry : answers[`${request.method} ${path || request.url}`];
    const { status, type, text } = (await found?.(body, name || (request.url ?? ''))) ?? {
      ...json({}),
      status: 404,
    };
    response.writeHead(status, { 'content-type': type }).end(text);
  };
  const door = await openHttpDoor({ port: 0, answer, onFault: parts.onFault });
  return { url: door.url, close: () => door.close(), stacks, accessEntries };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const json = (value: unknown): Answer => ({
  status: 200,
  type: 'application/json',
  text: JSON.stringify(value),
});
