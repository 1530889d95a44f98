/**
 * The dashboard of CloudWatch. It names functions by their names and not by reference, so that
 * it is the same whichever parts are deployed: a part that is not has no line. Its metrics are those of docs/operating.md and of AWS.
 */
const functionNames = [
  'intake',
  'heartbeats',
  'node-leaving',
  'node-joining',
  'certificate-requests',
  'etcd-membership',
  'etcd-snapshot',
  'prewarm',
  'roll',
  'sweep',
  'bootstrap-credential',
  'scale-api',
  'token-webhook',
];

const deadLetterQueues = [
  'InboxDeadLetterQueue',
  'LeavingDeadLetterQueue',
  'JoiningDeadLetterQueue',
  'HeartbeatsDeadLetterQueue',
  'EtcdDeadLetterQueue',
  'CapacityDeadLetterQueue',
  'RollDeadLetterQueue',
  'UndeliveredQueue',
];

const seconds = 'seconds';

/** Title, statistic, what the axis counts, and the metrics of Drover with their labels. */
const ownWidgets = [
  [
    'Nodes that left and joined',
    'SampleCount',
    'nodes',
    { DrainSeconds: 'left, drained', JoinSeconds: 'joined' },
  ],
  ['How long it took', 'p90', seconds, { DrainSeconds: 'drain, p90', JoinSeconds: 'join, p90' }],
  [
    'Overdue',
    'Maximum',
    seconds,
    {
      DeadlineOverdueSeconds: 'past the deadline of a drain',
      JoinOverdueSeconds: 'past the deadline of a join',
      PassAgeSeconds: 'without a pass',
    },
  ],
  [
    'Pods',
    'Sum',
    'pods',
    { PodsEvicted: 'evicted', PodsForced: 'deleted at the deadline', Refused: 'refused' },
  ],
  [
    'Joins that failed, nodes that were repaired',
    'Sum',
    'instances',
    {
      JoinsAbandoned: 'launches abandoned',
      NodesRepaired: 'set unhealthy',
      RepairsWithheld: 'repairs withheld',
    },
  ],
  ['Heartbeats', 'Sum', 'heartbeats', { HeartbeatsRefused: 'refused', WaitsAtRisk: 'waits at risk' }],
  ['Holds', 'Maximum', 'holds', { Holds: 'holds', HoldProblems: 'problems' }],
  [
    'Certificate requests',
    'Sum',
    'requests',
    { CertificatesApproved: 'approved', CertificatesDenied: 'denied' },
  ],
  [
    'Waiting certificate requests',
    'Maximum',
    'seconds, names',
    { OldestCertificateRequestSeconds: 'age of the oldest', CertificateConflicts: 'names in conflict' },
  ],
  [
    'Ages',
    'Maximum',
    seconds,
    {
      BootstrapCredentialAgeSeconds: 'bootstrap credential',
      EtcdSnapshotAgeSeconds: 'etcd snapshot',
    },
  ],
  [
    'What needs an operator',
    'Sum',
    'per period',
    {
      FailedPasses: 'failed passes',
      Parked: 'parked',
      EtcdProblems: 'etcd problems',
      IdentityMappingBroken: 'reads of a broken mapping',
    },
  ],
  ['Notifications', 'Sum', 'events', { NotificationsSent: 'sent', NotificationsFailed: 'failed' }],
];

const ofFunctions = [
  ['Errors of functions', 'Sum', 'invocations', 'Errors'],
  ['Throttles of functions', 'Sum', 'invocations', 'Throttles'],
  ['Duration of functions', 'p99', 'milliseconds', 'Duration'],
];

const width = 8;
const height = 6;

function bodyOf({ name, cluster }) {
  const graphs = [
    ...ownWidgets.map(([title, stat, axis, metrics]) => ({
      title,
      stat,
      axis,
      metrics: Object.entries(metrics).map(([metric, label]) => [
        'Drover',
        metric,
        'Cluster',
        cluster,
        { label },
      ]),
    })),
    {
      title: 'Messages in dead-letter queues',
      stat: 'Maximum',
      axis: 'messages',
      metrics: deadLetterQueues.map((queue) => [
        'AWS/SQS',
        'ApproximateNumberOfMessagesVisible',
        'QueueName',
        `\${${queue}.QueueName}`,
        { label: queue },
      ]),
    },
    ...ofFunctions.map(([title, stat, axis, metric]) => ({
      title,
      stat,
      axis,
      metrics: functionNames.map((one) => [
        'AWS/Lambda',
        metric,
        'FunctionName',
        `${name}-${one}`,
        { label: one },
      ]),
    })),
  ];
  const widgets = graphs.map(({ title, stat, axis, metrics }, place) => ({
    type: 'metric',
    x: (place % 3) * width,
    y: Math.floor(place / 3) * height,
    width,
    height,
    properties: {
      title,
      view: 'timeSeries',
      region: '${AWS::Region}',
      stat,
      period: 300,
      yAxis: { left: { min: 0, label: axis, showUnits: false } },
      metrics,
    },
  }));
  return JSON.stringify({ start: '-PT12H', widgets });
}

module.exports = async ({ resolveVariable }) => {
  const name = await resolveVariable('self:custom.name');
  const body = bodyOf({ name, cluster: await resolveVariable('param:cluster') });
  return {
    Resources: {
      ClusterDashboard: {
        Type: 'AWS::CloudWatch::Dashboard',
        Condition: 'HasDashboard',
        Properties: { DashboardName: name, DashboardBody: { 'Fn::Sub': body } },
      },
    },
  };
};
