/** As deploy/rbac.yaml has the rule of signers, with its comment. */
const signersRule =
  /^ {2}# [^\n]*\n {2}- apiGroups: \[certificates\.k8s\.io\]\n {4}resources: \[signers\]\n {4}resourceNames: [^\n]*\n {4}verbs: \[approve\]\n/m;

const approvalRule = /( {4}resources: \[certificatesigningrequests\/approval\]\n {4}verbs: )\[patch\]\n/;

/**
 * The manifests for Kubernetes 1.11, of OpenShift 3.11: its approvals have no PATCH (release 1.11,
 * `pkg/registry/certificates/certificates/storage`), and signers came with 1.18. Pure.
 */
export const manifestsOf311 = (yaml: string): string =>
  yaml.replace(signersRule, '').replace(approvalRule, '$1[update]\n');
