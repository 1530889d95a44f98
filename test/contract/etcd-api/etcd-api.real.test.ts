import { chosenEtcd, type EtcdVersion, etcd34 } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { etcd, oldEtcd } from '@drover/cloud-sandbox/real/programs.ts';
import { createRealEtcdWorld } from '@drover/cloud-sandbox/test/contract/etcd/real-world.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { streamHttps } from '../../../shared/etcd-api/http.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { etcdApiCases } from './cases.ts';

const contractWith = (version: EtcdVersion, missing: string | undefined): void =>
  contract({
    area: "Drover's etcd client",
    world: `etcd ${version.version}`,
    cases: etcdApiCases,
    open: async () => {
      const members = await createRealEtcdWorld({ etcd: version });
      return { members, send: sendHttp, stream: streamHttps, close: members.close };
    },
    close: ({ close }) => close(),
    concurrent: true,
    // Members that get too little of a busy machine lose each other for a while.
    retry: 1,
    missing,
  });

contractWith(chosenEtcd, etcd.missing);
contractWith(etcd34, oldEtcd.missing);
