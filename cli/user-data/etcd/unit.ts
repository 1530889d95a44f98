import { type MemberSettings, stateDirectory } from './settings.ts';

export const scriptPath = '/usr/local/sbin/drover-etcd';
export const unitPath = '/etc/systemd/system/etcd.service';

/**
 * The systemd unit. It waits for as long as Drover takes, comes back after a failure, and stays down where etcd ends by itself: that
 * is what a member does that was removed.
 */
export const unitText = (
  { dataDirectory }: Pick<MemberSettings, 'dataDirectory'>,
  path: string = scriptPath,
): string => `[Unit]
Description=etcd, started as Drover says
Wants=network-online.target
After=network-online.target
RequiresMountsFor=${dataDirectory}
StartLimitIntervalSec=0

[Service]
Type=notify
User=etcd
# The AWS CLI looks for a home.
Environment=HOME=${stateDirectory}
ExecStart=${path}
TimeoutStartSec=infinity
Restart=on-failure
RestartSec=5
LimitNOFILE=65536
OOMScoreAdjust=-999
NoNewPrivileges=yes
ProtectSystem=full
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
`;
