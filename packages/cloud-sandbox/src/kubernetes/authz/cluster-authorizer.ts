import type { Store } from '../store/store.ts';
import { type Authorizer, createRbacAuthorizer, type Decision } from './authorizer.ts';
import { createNodeAuthorizer } from './node-authorizer.ts';

/** `--authorization-mode=Node,RBAC`: the first that allows a request decides. */
export function createAuthorizer(store: Store): Authorizer {
  const rbac = createRbacAuthorizer(store);
  const ofNode = createNodeAuthorizer(store);
  const decide: Authorizer['decide'] = (user, attributes): Decision => {
    const opinion = ofNode(user, attributes);
    if (opinion?.isAllowed === true) return opinion;
    const decision = rbac.decide(user, attributes);
    return decision.isAllowed ? decision : (opinion ?? decision);
  };
  return { ...rbac, decide, isAllowed: (user, attributes) => decide(user, attributes).isAllowed };
}
