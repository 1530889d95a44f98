import { instanceMetadata } from '@drover/cloud-sandbox';
import { type HttpDoor, openMetadataDoor, openSandbox, startAwsServer } from '@drover/cloud-sandbox/wire';
import { onTestFinished } from 'vitest';

/** How much faster simulated time passes here. */
const speed = 60;

const instanceProfileArn = 'arn:aws:iam::123456789012:instance-profile/worker';

export const kubeconfig = `apiVersion: v1
kind: Config
clusters:
  - name: prod
    cluster:
      server: "https://api.example.com:6443"
      certificate-authority-data: "${Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64')}"
users:
  - name: drover-bootstrap-worker
    user:
      token: "abcdef.0123456789abcdef"
`;

/** What a role of instances needs to complete the hook of a launch into a warm pool. */
const hookStatement = {
  Effect: 'Allow',
  Action: ['autoscaling:CompleteLifecycleAction', 'autoscaling:DescribeAutoScalingInstances'],
  Resource: '*',
};

/** A simulated account on real ports, with a Parameter Store that answers as set, and instances with their metadata service. */
export async function openAccount({
  mayCompleteHooks = false,
  policy = undefined as object | undefined,
} = {}) {
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const sandbox = await openSandbox({ speed, onFault, ports: { aws: 0, kubernetes: 0 } });
  const { account } = sandbox.cloud;
  account.iam.putRole({
    roleName: 'worker',
    policies: [
      policy ?? {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action: 'ssm:GetParameter', Resource: '*' },
          ...(mayCompleteHooks ? [hookStatement] : []),
        ],
      },
    ],
    trustPolicy: { Version: '2012-10-17', Statement: [] },
  });
  let requests = 0;
  let answer: (request: number) => Refusal | undefined = () => undefined;
  const aws = await startAwsServer({
    port: 0,
    onFault,
    front: {
      handle: async (request) => {
        requests += 1;
        const refusal = answer(requests);
        return refusal === undefined ? await account.front.handle(request) : refused(refusal);
      },
    },
  });
  const doors: HttpDoor[] = [];
  let metadataAnswer: MetadataJudge = () => undefined;
  onTestFinished(async () => {
    await Promise.all([aws.close(), ...doors.map((door) => door.close())]);
    await sandbox.close();
  });
  const put = (Name: string, Value: string): void =>
    void account.ssm.operations.PutParameter(
      { Name, Value, Type: 'SecureString', Tier: 'Intelligent-Tiering', Overwrite: true },
      { principal: account.operator, requestId: 'test' },
    );
  const launch = async (userData?: string): Promise<LaunchedInstance> => {
    const { instanceId, privateDnsName, subnet } = account.ec2.instances.launch({
      iamInstanceProfileArn: instanceProfileArn,
      tags: new Map(),
      ...(userData !== undefined && { userData: Buffer.from(userData).toString('base64') }),
    });
    return await metadataOf({ instanceId, privateDnsName, zone: subnet.availabilityZone });
  };
  const metadataOf = async (identity: Omit<LaunchedInstance, 'environment'>): Promise<LaunchedInstance> => {
    const metadata = instanceMetadata(account, identity.instanceId);
    const service: typeof metadata = {
      handle: (request) => metadataAnswer(request.path) ?? metadata.handle(request),
    };
    const door = await openMetadataDoor({ service, port: 0, onFault });
    doors.push(door);
    const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: door.url, AWS_ENDPOINT_URL: aws.url };
    return { ...identity, environment };
  };
  return {
    account,
    clock: sandbox.clock,
    faults,
    launch,
    metadataOf,
    put,
    requests: () => requests,
    refuse: (judge: typeof answer): void => {
      answer = judge;
    },
    /** Lets the metadata service of every instance answer otherwise. */
    answerMetadata: (judge: MetadataJudge): void => {
      metadataAnswer = judge;
    },
  };
}

type MetadataJudge = (path: string) => { readonly status: number; readonly body: string } | undefined;

export interface LaunchedInstance {
  readonly instanceId: string;
  readonly privateDnsName: string;
  readonly zone: string;
  /** How its programs find the metadata service and AWS. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The codes with which Parameter Store refuses. */
export type Refusal = 'ThrottlingException' | 'AccessDeniedException' | 'InternalServerError';

const refused = (code: Refusal) => ({
  statusCode: code === 'InternalServerError' ? 500 : 400,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: code, message: 'Rate exceeded' }),
});
