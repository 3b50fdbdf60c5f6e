# Stays with a command: the first argument says whether standard input is watched, the rest is the command. Whatever in
# it loses its parent becomes a child of its shell and, where that is gone, of this one. What is still there when the
# shell has ended is stopped, so that it starts nothing more, and killed; what cannot be killed is left. By the names of
# machines: the number of prctl; 36 is PR_SET_CHILD_SUBREAPER. 0x541b is FIONREAD: standard input that can be read and
# holds nothing has ended. Seen once, somebody may just have read the rest of it; so it is looked at again. A terminal
# that is gone is told to this one alone, who leads its session; anybody else may send the same signal.
use Config;
my ($machine) = split /-/, $Config{archname};
my $prctl = { x86_64 => 157, aarch64 => 167, riscv64 => 167, ppc64le => 171, powerpc64le => 171, s390x => 172 }->{$machine};
my $watched = shift;

sub adopt { syscall($prctl, 36, 1, 0, 0, 0) if $prctl }

sub below {
  my %of;
  local $/;
  opendir(my $proc, "/proc") or return;
  for my $pid (grep { /^\d+$/ } readdir $proc) {
    open(my $stat, "<", "/proc/$pid/stat") or next;
    my $line = <$stat>;
    push @{$of{$2}}, $pid if defined $line && $line =~ /.*\) (\S) (\d+)/s && $1 !~ /[ZX]/;
  }
  my @all;
  my @next = ($$);
  while (@next) {
    my @started = @{$of{shift @next} || []};
    push @all, @started;
    push @next, @started;
  }
  return @all;
}

delete $ENV{PERL_BADLANG};
adopt();
my $terminal = -t STDIN;
my $shell;
sub look { kill("KILL", $shell) if $shell && !-t STDIN }
$SIG{HUP} = \&look if $terminal;
$shell = fork;
exit 126 unless defined $shell;
if (!$shell) {
  adopt();
  exec { $ARGV[0] } @ARGV;
  exit 126;
}
$SIG{$_} = "IGNORE" for qw(INT QUIT TERM TSTP TTIN TTOU PIPE), $terminal ? () : "HUP";
# It may have gone before there was anything to kill.
look() if $terminal;
my $watcher = $watched ? fork : undef;
if (defined $watcher && !$watcher) {
  my $ended = 0;
  while ($ended < 3) {
    my $in = "";
    vec($in, 0, 1) = 1;
    my $found = select($in, undef, undef, $ended ? 0 : undef);
    my $there = pack("i", 0);
    ioctl(STDIN, 0x541b, $there) or exit;
    $ended = $found && !unpack("i", $there) ? $ended + 1 : 0;
    select(undef, undef, undef, 0.1);
  }
  kill("KILL", $shell);
  exit;
}
# 4 is EINTR: it has been killed by now.
my $waited;
do { $waited = waitpid($shell, 0) } while $waited < 0 && $! == 4;
my $code = $waited == $shell ? ($? & 127 ? 128 + ($? & 127) : $? >> 8) : 126;
$SIG{HUP} = "IGNORE";
if ($watcher) {
  kill("KILL", $watcher);
  waitpid($watcher, 0);
}
for my $round (1 .. 200) {
  1 while waitpid(-1, 1) > 0;
  my @left = below() or last;
  kill("STOP", @left);
  kill("KILL", below()) or last;
  select(undef, undef, undef, 0.005);
}
exit $code;
