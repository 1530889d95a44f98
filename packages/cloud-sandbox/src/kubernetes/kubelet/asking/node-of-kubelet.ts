import { nodeObject, nodeStatus } from '../node-object.ts';
import { clientCredential, type Living } from './living.ts';
import { refused } from './request-certificate.ts';

/** Creates the Node if there is none. The API server refuses another name, and labels that are not a node's to set. */
export async function register(living: Living): Promise<void> {
  const { machine, node } = living;
  const credential = clientCredential(living);
  const path = `/api/v1/nodes/${node.nodeName}`;
  const found = await machine.send({ method: 'GET', path, credential });
  if (found.status === 200) return;
  const body = nodeObject(node, machine.clock.now());
  const made = await machine.send({ method: 'POST', path: '/api/v1/nodes', body, credential });
  if (made.status !== 201) throw refused(`the Node ${node.nodeName}`, made);
}

interface Names {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** The addresses of the Node, as its status has them. */
export function namesOf({ node, clock }: Living): Names {
  const { addresses = [] } = nodeStatus(node, clock.now(), true);
  const unique = (areIps: boolean): readonly string[] => [
    ...new Set(addresses.filter(({ type }) => type.endsWith('IP') === areIps).map(({ address }) => address)),
  ];
  return { dnsNames: unique(false), ipAddresses: unique(true) };
}

export async function reportAddresses(living: Living): Promise<void> {
  const { node, machine } = living;
  const { addresses } = nodeStatus(node, machine.clock.now(), true);
  const path = `/api/v1/nodes/${node.nodeName}/status`;
  const credential = clientCredential(living);
  const answer = await machine.send({ method: 'PATCH', path, body: { status: { addresses } }, credential });
  if (answer.status !== 200) throw refused(`the status of the Node ${node.nodeName}`, answer);
}
