import 'reflect-metadata';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { kubeletOf } from '../stage.ts';
import { strangerPrefix } from '../stranger.ts';
import type { Resident } from '../watch/census.ts';
import { isManagedGroup, staleMilliseconds } from './facts.ts';
import type { Rule, View } from './rule.ts';

export const certificatesForRunning: Rule = {
  name: 'certificates-for-running',
  sentence:
    'A request is approved only for the name of a running instance of a managed group, and for no stranger while the node of that name lives.',
  onCall: (call, view) => {
    if (call.kind !== 'approve') return undefined;
    const request = view.world.kubernetes.store
      .of('certificatesigningrequests.certificates.k8s.io')
      .get(undefined, call.request);
    if (request === undefined) return undefined;
    const nodeName = nameIn(request.spec.request);
    const owner = view.census.all().find((one) => isNamed(one, nodeName, view) && isRunning(one, view));
    if (owner === undefined) return `${call.request} for ${nodeName}, which no running instance has`;
    if (!call.request.startsWith(strangerPrefix) || isAway(owner)) return undefined;
    return `a stranger gets the name ${nodeName} of ${owner.instanceId}`;
  },
};

const nameIn = (request: string): string => {
  const pem = Buffer.from(request, 'base64').toString();
  const [commonName = ''] = new Pkcs10CertificateRequest(pem).subjectName.getField('CN');
  return commonName.replace(/^system:node:/, '');
};

function isNamed({ instanceId, nodeName }: Resident, name: string, { world, plan }: View): boolean {
  const instance = world.account.ec2.instances.find(instanceId);
  return nodeName === name || (instance !== undefined && kubeletOf(plan, instance)?.nodeName === name);
}

const isRunning = ({ autoScalingGroupName, runningAt = -Infinity }: Resident, view: View): boolean =>
  isManagedGroup(view, autoScalingGroupName) && view.now - runningAt <= staleMilliseconds;

/** A bootstrap token proves no instance: without a live Node the name is free to the first that asks. */
const isAway = ({ nodeName, nodeDeletedByHand, silentAt, leavingSince }: Resident): boolean =>
  nodeName === undefined || nodeDeletedByHand || silentAt !== undefined || leavingSince !== undefined;
