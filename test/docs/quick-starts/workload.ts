/** Pods with a budget, so that a drain takes its time and says what holds it. */
export const workload = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 6
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { cloud-sandbox/ready-seconds: '60' } }
    spec: { containers: [{ name: web, image: web }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: default }
spec:
  minAvailable: 5
  selector: { matchLabels: { app: web } }
`;
