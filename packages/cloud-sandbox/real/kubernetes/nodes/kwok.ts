import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { type RunningProcess, startProcess, untilReady } from '../../process.ts';
import { kwok, program } from '../../programs.ts';

/** kwok simulates the Nodes that have this annotation. */
export const kwokAnnotation = { 'kwok.x-k8s.io/node': 'fake' } as const;

/** When a Node of kwok became Ready (RFC 3339), where the time of its instance is not the machine's. */
export const readyAtAnnotation = 'cloud-sandbox/ready-at';
/** kwok does not change the status of a pod with it, which a test has reported as crashing, for example. */
export const crashesAnnotation = 'cloud-sandbox/crashes';

/**
 * kwok simulates the kubelets of hundreds of nodes. Their pods become Ready, end after their grace period, and become Ready again
 * if an outage of the API server made the node controller mark them not Ready. kwok's default stages do not do the last two.
 * Rejects with the last log lines of kwok if it does not start.
 */
export async function startKwok({
  directory,
  kubeconfig,
}: {
  readonly directory: string;
  readonly kubeconfig: string;
}): Promise<RunningProcess> {
  const configuration = join(directory, 'kwok.yaml');
  writeFileSync(configuration, stages);
  const address = `127.0.0.1:${await freePort()}`;
  const process = startProcess({
    name: 'kwok',
    command: program(kwok, 'kwok'),
    options: [
      `--kubeconfig=${kubeconfig}`,
      `--config=${configuration}`,
      '--manage-all-nodes=false',
      '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
      '--node-lease-duration-seconds=40',
      `--server-address=${address}`,
    ],
    logFile: join(directory, 'kwok.log'),
  });
  await untilReady({ name: 'kwok', process }, () => isReady(address));
  return process;
}

async function isReady(address: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`http://${address}/healthz`);
    return ok;
  } catch (error) {
    // fetch throws this while no process listens on the port yet.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const stages = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: node-initialize }
spec:
  resourceRef: { apiGroup: v1, kind: Node }
  selector:
    matchExpressions:
      - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ['True'] }
  next:
    statusTemplate: |
      {{ $now := or (index .metadata.annotations "${readyAtAnnotation}") Now }}
      addresses: [{ address: {{ NodeIP | Quote }}, type: InternalIP }, { address: {{ .metadata.name | Quote }}, type: Hostname }]
      allocatable: { cpu: "64", memory: 256Gi, pods: "500" }
      capacity: { cpu: "64", memory: 256Gi, pods: "500" }
      conditions:
        - { type: Ready, status: "True", reason: KubeletReady, message: played by kwok, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }} }
      phase: Running
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-ready }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: .metadata.deletionTimestamp, operator: DoesNotExist }
      - { key: .status.podIP, operator: DoesNotExist }
  next:
    statusTemplate: |
      {{ $now := Now }}
      conditions:
        - { type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }} }
        - { type: Ready, status: "True", lastTransitionTime: {{ $now | Quote }} }
        - { type: ContainersReady, status: "True", lastTransitionTime: {{ $now | Quote }} }
      containerStatuses:
      {{ range .spec.containers }}
        - { name: {{ .name | Quote }}, image: {{ .image | Quote }}, ready: true, restartCount: 0, state: { running: { startedAt: {{ $now | Quote }} } } }
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
      phase: Running
      startTime: {{ $now | Quote }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-ready-again }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: .metadata.deletionTimestamp, operator: DoesNotExist }
      - { key: .status.phase, operator: In, values: [Running] }
      - { key: '.metadata.annotations["${crashesAnnotation}"]', operator: DoesNotExist }
      - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ['True'] }
  next:
    statusTemplate: |
      conditions:
        - { type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }} }
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-end }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: .metadata.deletionTimestamp, operator: Exists }
  delay:
    durationFrom: { expressionFrom: .metadata.deletionTimestamp }
  next: { delete: true }
`;
