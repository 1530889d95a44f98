/**
 * The parameters of a stage: deploy/stages/STAGE.yml over deploy/stages/default.yml. A stage without a file, without a cluster, with an
 * unknown parameter or with a value that cannot work is refused, because a default in its place would deploy another cluster, network or
 * mode. What the functions themselves read is checked by scripts/deployment/guard.ts.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { parse } = require('yaml');

const fileOf = (stage) => join(__dirname, 'stages', `${stage}.yml`);

/** osls prints an error's stack, but only the message helps here. */
const refusal = (message) => Object.assign(new Error(message), { stack: message });

function parametersOf(stage) {
  const file = fileOf(stage);
  const name = relative(process.cwd(), file);
  if (!existsSync(file))
    throw refusal(
      `Stage ${stage} has no parameters. Write them into ${name} and commit it; it names at least the cluster:\n\n` +
        '  cluster: NAME\n',
    );
  const parameters = read(file, name) ?? {};
  if (typeof parameters !== 'object' || Array.isArray(parameters))
    throw refusal(`${name} has to consist of lines such as \`cluster: prod\``);
  return parameters;
}

function read(file, name) {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw refusal(`${name} is not YAML: ${error.message}`);
  }
}

const onOrOff = ['on', 'off'];
const choices = {
  network: ['outside', 'private'],
  bootstrap: onOrOff,
  bootstrapRoles: ['worker', 'worker,control-plane'],
  certificates: onOrOff,
  scaleApi: onOrOff,
  podHolds: onOrOff,
  rolls: onOrOff,
  tokenWebhook: onOrOff,
  notifications: onOrOff,
  digest: onOrOff,
  dashboard: onOrOff,
  tracing: ['on', 'rights', 'off'],
  notifyFrom: ['info', 'warning'],
  identityConfigMap: ['off', 'limited', 'trusted'],
};
/** Of a customer or of AWS: with a path, and with the characters that IAM takes in names. */
const managedPolicy = /^arn:[a-z-]+:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]{1,640}$/;
/** The characters that Lambda, IAM and tags take. The ARN of a role is the value of a tag, which has at most 256. */
const rolePath = /^\/(?:[\w+=.@/-]{1,158}\/)?$/;

/** Roles have the names of parameters in ARNs, which need the slash. */
const needsSlash = (name) => name.endsWith('Parameter');

const isMissing = (value) => value === undefined || value === null || value === '';

/** Other parameters that one makes necessary. */
function companionsOf({ network, etcdDomain, etcdMode }) {
  const hasEtcd = !isMissing(etcdDomain);
  return [
    ...(network === 'private'
      ? [{ reason: 'network: private', names: ['vpcId', 'subnetA', 'subnetB'] }]
      : []),
    ...(hasEtcd ? [{ reason: 'etcdDomain', names: ['etcdZoneId'] }] : []),
    ...(hasEtcd && etcdMode === 'members' ? [{ reason: 'etcdMode: members', names: ['etcdSnapshots'] }] : []),
  ];
}

/** The values that cannot work, each with what is allowed. */
const problemsOf = (parameters) => [
  ...(/^[A-Za-z0-9][\w.-]{0,56}$/.test(parameters.cluster)
    ? []
    : [
        `cluster is ${parameters.cluster}: it takes at most 57 letters, digits, dots, dashes and underscores, because its schedule group is named drover-CLUSTER`,
      ]),
  ...Object.entries(choices)
    .filter(([name, allowed]) => !allowed.includes(parameters[name]))
    .map(([name, allowed]) => `${name} is ${parameters[name]}: it takes ${allowed.join(' or ')}`),
  ...receiverProblems(parameters),
  ...Object.keys(parameters)
    .filter(needsSlash)
    .filter((name) => !isMissing(parameters[name]) && !String(parameters[name]).startsWith('/'))
    .map((name) => `${name} is ${parameters[name]}: it begins with a slash`),
  ...companionsOf(parameters).flatMap(({ reason, names }) =>
    names
      .filter((name) => isMissing(parameters[name]))
      .map((name) => `${name} is missing: ${reason} needs it`),
  ),
  ...(isMissing(parameters.permissionsBoundary) || managedPolicy.test(parameters.permissionsBoundary)
    ? []
    : [
        `permissionsBoundary is ${parameters.permissionsBoundary}: it takes the ARN of a managed policy, such as arn:aws:iam::123456789012:policy/boundary`,
      ]),
  ...(rolePath.test(parameters.rolePath)
    ? []
    : [
        `rolePath is ${parameters.rolePath}: it begins and ends with a slash, and has at most 160 letters, digits and _+=.@-/ in all`,
      ]),
  ...(/^[1-9]\d{0,4}$/.test(parameters.apiServerPort)
    ? []
    : [`apiServerPort is ${parameters.apiServerPort}: it takes a port`]),
  ...(/^(?:unreserved|[1-9]\d{0,3})$/.test(parameters.tokenWebhookConcurrency)
    ? []
    : [
        `tokenWebhookConcurrency is ${parameters.tokenWebhookConcurrency}: it takes unreserved, or a number from 1 to 9999`,
      ]),
  // The bounds of MaximumConcurrency.
  ...(/^(?:unreserved|[2-9]|[1-9]\d{1,2}|1000)$/.test(parameters.passConcurrency)
    ? []
    : [`passConcurrency is ${parameters.passConcurrency}: it takes unreserved, or a number from 2 to 1000`]),
];

/** What the receivers of alarms and notifications must look like. A URL in a file of a stage would be a secret in the repository. */
const receivers = {
  alarmEmail: [/^[^\s@"\\]+@[^\s@"\\]+$/, 'an e-mail address'],
  extraAlarmTopic: [/^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/, 'the ARN of an SNS topic that is not FIFO'],
  notificationEmail: [/^[^\s@"\\]+@[^\s@"\\]+$/, 'an e-mail address'],
  notificationTopic: [/^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/, 'the ARN of an SNS topic that is not FIFO'],
  chatWebhookSecret: [
    /^(?:arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:)?[\w/+=.@-]+$/,
    'the name or ARN of a secret, never the URL itself',
  ],
};

/** CloudWatch refuses a topic of another region only when it makes the alarm, in the middle of a deploy. */
const regionProblems = ({ extraAlarmTopic }, region) => {
  const [, , , own] = String(extraAlarmTopic ?? '').split(':');
  return !own || !region || own === region
    ? []
    : [
        `extraAlarmTopic is in ${own}, and the stack in ${region}: CloudWatch notifies only topics of its own region`,
      ];
};

const receiverProblems = (parameters) =>
  Object.entries(receivers)
    .filter(([name, [pattern]]) => !isMissing(parameters[name]) && !pattern.test(parameters[name]))
    .map(([name, [, allowed]]) => `${name} cannot be used: it takes ${allowed}`);

module.exports = async ({ options, resolveVariable }) => {
  const stage = await resolveVariable('sls:stage');
  const defaults = parametersOf('default');
  const own = parametersOf(stage);
  const given = Object.fromEntries((options.param ?? []).map((parameter) => parameter.split(/=(.*)/s, 2)));
  const unknown = Object.keys({ ...own, ...given }).filter((name) => !Object.hasOwn(defaults, name));
  if (unknown.length > 0)
    throw refusal(`There is no parameter ${unknown.join(', ')}: see deploy/stages/default.yml`);
  if (!own.cluster) throw refusal(`deploy/stages/${stage}.yml names no cluster`);
  const chosen = { ...defaults, ...own, ...given };
  const problems = [
    ...problemsOf(chosen),
    ...regionProblems(chosen, await resolveVariable('self:custom.region, null')),
  ];
  if (problems.length > 0)
    throw refusal(`Stage ${stage} cannot be deployed so:\n    ${problems.join('\n    ')}`);
  return { default: { ...defaults, ...own } };
};
