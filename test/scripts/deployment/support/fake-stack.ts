/** What CloudFormation and EC2 answer of one stack, which the sandbox does not model. */
export interface FakeStack {
  readonly stackName: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly status?: string;
  /** Logical id -> group id. */
  readonly securityGroups?: Readonly<Record<string, string>>;
  /** The groups with a rule that names one of the stack's groups, by the filter that finds it. */
  readonly rules?: readonly { readonly filter: string; readonly names: string; readonly groupId: string }[];
  readonly interfaces?: readonly { readonly groupId: string; readonly id: string; readonly type: string }[];
}

export interface Answer {
  readonly statusCode: number;
  readonly xml: string;
}

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;
const list = (name: string, items: readonly string[]): string => element(name, items.join(''));

const describeStacks = (stacks: readonly FakeStack[], asked: URLSearchParams): Answer => {
  const name = asked.get('StackName');
  const found = stacks.filter(({ stackName }) => name === null || stackName === name);
  if (name !== null && found.length === 0)
    return {
      statusCode: 400,
      xml: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id x does not exist</Message></Error></ErrorResponse>',
    };
  // A page has one stack, so that a caller that reads only the first page misses the others.
  const from = Number(asked.get('NextToken') ?? 0);
  const next = from + 1 < found.length ? element('NextToken', String(from + 1)) : '';
  return answered('DescribeStacks', list('Stacks', found.slice(from, from + 1).map(stackElement)) + next);
};

const stackElement = (stack: FakeStack): string =>
  list('member', [
    element('StackName', stack.stackName),
    element('CreationTime', '2026-11-20T09:14:07Z'),
    element('StackStatus', stack.status ?? 'UPDATE_COMPLETE'),
    list(
      'Tags',
      Object.entries(stack.tags ?? {}).map(([key, value]) =>
        list('member', [element('Key', key), element('Value', value)]),
      ),
    ),
  ]);

const answered = (action: string, result: string): Answer => ({
  statusCode: 200,
  xml: element(`${action}Response`, element(`${action}Result`, result)),
});

const listStackResources = ({ securityGroups = {} }: FakeStack): Answer =>
  answered(
    'ListStackResources',
    list(
      'StackResourceSummaries',
      Object.entries(securityGroups).map(([logicalId, groupId]) =>
        list('member', [
          element('LogicalResourceId', logicalId),
          element('PhysicalResourceId', groupId),
          element('ResourceType', 'AWS::EC2::SecurityGroup'),
        ]),
      ),
    ),
  );

const describeSecurityGroups = ({ rules = [] }: FakeStack, asked: URLSearchParams): Answer => ({
  statusCode: 200,
  xml: element(
    'DescribeSecurityGroupsResponse',
    list(
      'securityGroupInfo',
      rules
        .filter(
          ({ filter, names }) =>
            filter === asked.get('Filter.1.Name') && names === asked.get('Filter.1.Value.1'),
        )
        .map(({ groupId }) =>
          list('item', [element('groupId', groupId), element('groupName', `name-of-${groupId}`)]),
        ),
    ),
  ),
});

const describeNetworkInterfaces = ({ interfaces = [] }: FakeStack, asked: URLSearchParams): Answer => ({
  statusCode: 200,
  xml: element(
    'DescribeNetworkInterfacesResponse',
    list(
      'networkInterfaceSet',
      interfaces
        .filter(({ groupId }) => groupId === asked.get('Filter.1.Value.1'))
        .map(({ id, type }) =>
          list('item', [element('networkInterfaceId', id), element('interfaceType', type)]),
        ),
    ),
  ),
});

/** The answer to a request's body, or undefined for an action that is not about the stack. */
export function answerOf(
  stack: FakeStack | undefined,
  body: string,
  others: readonly FakeStack[] = [],
): Answer | undefined {
  const asked = new URLSearchParams(body);
  const action = asked.get('Action');
  if (action === 'DescribeStacks') return describeStacks([...(stack ? [stack] : []), ...others], asked);
  if (stack === undefined) return undefined;
  if (action === 'ListStackResources') return listStackResources(stack);
  if (action === 'DescribeSecurityGroups') return describeSecurityGroups(stack, asked);
  if (action === 'DescribeNetworkInterfaces') return describeNetworkInterfaces(stack, asked);
  return undefined;
}
