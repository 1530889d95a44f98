import { describe, expect, it } from 'vitest';
import { httpCall } from '../../../shared/tracing/subsegment.ts';

const server = 'https://api.prod.example.com:6443';
const urlOf = (path: string) => httpCall({ method: 'GET', url: `${server}${path}` }, 'prod').url;

describe('a request to the cluster, in a trace', () => {
  it('is a call to the API server of this cluster', () => {
    expect(httpCall({ method: 'PATCH', url: `${server}/api/v1/nodes/ip-10-0-0-1` }, 'prod')).toEqual({
      name: 'Kubernetes prod',
      namespace: 'remote',
      method: 'PATCH',
      url: `${server}/api/v1/nodes/{name}`,
    });
  });

  it.each([
    ['/api/v1/nodes', '/api/v1/nodes'],
    ['/api/v1/nodes?fieldSelector=metadata.name%3Dsecret', '/api/v1/nodes'],
    ['/api/v1/pods?fieldSelector=spec.nodeName%3Dn', '/api/v1/pods'],
    ['/api/v1/namespaces', '/api/v1/namespaces'],
    ['/api/v1/namespaces/shop', '/api/v1/namespaces/{name}'],
    ['/api/v1/namespaces/shop/pods', '/api/v1/namespaces/{namespace}/pods'],
    ['/api/v1/namespaces/shop/pods/cart-1', '/api/v1/namespaces/{namespace}/pods/{name}'],
    ['/api/v1/namespaces/shop/pods/cart-1/eviction', '/api/v1/namespaces/{namespace}/pods/{name}/eviction'],
    [
      '/api/v1/namespaces/shop/pods/cart-1/proxy/some/secret',
      '/api/v1/namespaces/{namespace}/pods/{name}/proxy',
    ],
    [
      '/apis/certificates.k8s.io/v1/certificatesigningrequests/csr-abc/approval',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests/{name}/approval',
    ],
    [
      '/apis/apps/v1/namespaces/kube-system/daemonsets/cilium',
      '/apis/apps/v1/namespaces/{namespace}/daemonsets/{name}',
    ],
    ['/apis/metrics.k8s.io/v1beta1/nodes', '/apis/metrics.k8s.io/v1beta1/nodes'],
    ['/api/v1', '/api/v1'],
    ['/api/v1/', '/api/v1'],
    ['/k8s/clusters/c-abc123/api/v1/nodes/n-1', '/api/v1/nodes/{name}'],
    ['/something/of/another/server', ''],
  ])('names no object: %s', (path, shown) => {
    expect(urlOf(path)).toBe(`${server}${shown}`);
  });

  it('has no credentials that the address of a server holds', () => {
    expect(httpCall({ method: 'GET', url: 'https://me:secret@host/api/v1/nodes' }, 'prod').url).toBe(
      'https://host/api/v1/nodes',
    );
  });

  it('is a call to etcd where the path names an operation of its gateway', () => {
    expect(httpCall({ method: 'POST', url: 'https://etcd-a:2379/v3/cluster/member/list' }, 'prod')).toEqual({
      name: 'etcd prod',
      namespace: 'remote',
      method: 'POST',
      url: 'https://etcd-a:2379/v3/cluster/member/list',
    });
    expect(httpCall({ method: 'GET', url: 'https://10.0.0.1:2379/health?exclude=NOSPACE' }, 'prod')).toEqual({
      name: 'etcd prod',
      namespace: 'remote',
      method: 'GET',
      url: 'https://10.0.0.1:2379/health',
    });
    expect(urlOf('/healthz')).toBe(server);
    expect(urlOf('/x/health')).toBe(server);
    expect(urlOf('/v3/Weird-1')).toBe(server);
    expect(urlOf('/x/v3/maintenance')).toBe(server);
  });

  it('has no URL if the request has an invalid one', () => {
    expect(httpCall({ method: 'GET', url: 'no url' }, 'prod')).toEqual({
      name: 'Kubernetes prod',
      namespace: 'remote',
      method: 'GET',
    });
  });
});
