# Stays with a command: the first argument says whether standard input is watched, the rest is the command. Whatever in
# it loses its parent becomes a child of its shell and, where that is gone, of this one. What is still there when the
# shell has ended is stopped, so that it starts nothing more, and killed; what cannot be killed is left. Somebody else
# stands before it, who passes on what is printed and ends with the command: what outlives a second of this, and would
# hold the output open, is then looked for by this one alone, ever more seldom. By the names of machines: the number of
# prctl; 36 is PR_SET_CHILD_SUBREAPER. 0x541b is FIONREAD: standard input that can be read and holds nothing has ended.
# Seen once, somebody may just have read the rest of it; so it is looked at again. A terminal that is gone is told to the
# one before this one alone, who leads its session; anybody else may send the same signal.
use Config;
my ($machine) = split /-/, $Config{archname};
my $prctl = { x86_64 => 157, aarch64 => 167, riscv64 => 167, ppc64le => 171, powerpc64le => 171, s390x => 172 }->{$machine};
my $watched = shift;
my $terminal = -t STDIN;
# What is passed on is bytes, whatever the settings of perl over there make of text.
binmode $_ for *STDIN, *STDOUT, *STDERR;

sub adopt { syscall($prctl, 36, 1, 0, 0, 0) if $prctl }

# State, parent, group and session of a process.
sub about {
  local $/;
  open(my $stat, "<:raw", "/proc/$_[0]/stat") or return;
  my $line = <$stat>;
  return defined $line && $line =~ /.*\) (\S) (\d+) (\d+) (\d+)/s ? ($1, $2, $3, $4) : ();
}

# Whom a process started. Where the kernel says it of each, that is quicker than to ask all who started them.
my $said = -e "/proc/$$/task/$$/children";
sub started {
  my ($pid, $of) = @_;
  return @{$of->{$pid} || []} unless $said;
  opendir(my $threads, "/proc/$pid/task") or return;
  my @found;
  for my $thread (grep { /^\d+$/ } readdir $threads) {
    open(my $children, "<", "/proc/$pid/task/$thread/children") or next;
    push @found, map { split } <$children>;
  }
  return @found;
}

# Everything below this one. In a session that was made below nobody else can be, so its groups are among it: a group
# gets a signal as a whole, also those that are just being started.
sub below {
  my (%of, %seen);
  if (!$said && opendir(my $proc, "/proc")) {
    for my $pid (grep { /^\d+$/ } readdir $proc) {
      my (undef, $parent) = about($pid) or next;
      push @{$of{$parent}}, $pid;
    }
  }
  my $own = (about($$))[3];
  my @all;
  my @next = started($$, \%of);
  while (@next) {
    my $pid = shift @next;
    my ($state, undef, $group, $session) = about($pid) or next;
    next if $state =~ /[ZX]/;
    push @all, $pid;
    push @all, -$group if defined $own && $session && $session != $own && $group > 1 && !$seen{$group}++;
    push @next, started($pid, \%of);
  }
  return @all;
}

# Whether anything is left that can be killed. Without a child nothing is; one that was not seen has just become another.
# 1 is EPERM.
sub strike {
  my $ended;
  1 while ($ended = waitpid(-1, 1)) > 0;
  return 0 if $ended < 0;
  kill("STOP", below());
  my @left = below();
  my @kept = grep { !kill("KILL", $_) && $! == 1 } @left;
  return !@left || @left > @kept;
}

sub pause { select(undef, undef, undef, $_[0]) }

my ($keeper, $shell);
sub look { kill($keeper ? "HUP" : "KILL", $keeper || $shell) if ($keeper || $shell) && !-t STDIN }

# Passes on what comes, a stream as fast as it is taken, until the command has ended, and then what has come by then. Who
# writes where nobody reads any more is told so. A part is as large as what goes into a pipe without waiting.
sub pass_on {
  my ($ending, @from) = @_;
  my @rest = ("") x @from;
  my $ended;
  while (!$ended) {
    my ($in, $out) = ("", "");
    vec($in, fileno $ending, 1) = 1;
    for my $to (grep { $from[$_] } 1, 2) {
      if (length $rest[$to]) { vec($out, $to, 1) = 1 } else { vec($in, fileno $from[$to], 1) = 1 }
    }
    select($in, $out, undef, undef) > 0 or next;
    for my $to (grep { $from[$_] } 1, 2) {
      if (vec($out, $to, 1)) {
        my $passed = syswrite($to == 1 ? STDOUT : STDERR, $rest[$to], 4096);
        if (defined $passed) { substr($rest[$to], 0, $passed) = "" } else { close $from[$to]; undef $from[$to] }
      } elsif (vec($in, fileno $from[$to], 1)) {
        sysread($from[$to], $rest[$to], 65536) or undef $from[$to];
      }
    }
    $ended = vec($in, fileno $ending, 1);
  }
  for my $to (grep { $from[$_] } 1, 2) {
    my $there = pack("i", 0);
    ioctl($from[$to], 0x541b, $there);
    my $left = unpack("i", $there);
    sysread($from[$to], $rest[$to], $left, length $rest[$to]) if $left;
    while (length $rest[$to]) {
      my $passed = syswrite($to == 1 ? STDOUT : STDERR, $rest[$to]) or last;
      substr($rest[$to], 0, $passed) = "";
    }
  }
  my $code;
  return sysread($ending, $code, 1) ? ord $code : 137;
}

delete $ENV{PERL_BADLANG};
# What everybody's perl is to begin with is not for this one, and the command's again.
my $options = delete $ENV{HERMES_PERL5OPT};
delete $ENV{PERL5OPT};
$ENV{PERL5OPT} = substr($options, 1) if length $options;
# What it was given is long; who lists the processes reads the name of the command instead, by which it is found too.
$0 = $ARGV[1];
pipe(my $ending, my $end) or exit 126;
my (@from, @to);
for my $of ($terminal ? () : (1, 2)) { pipe($from[$of], $to[$of]) or exit 126 }
binmode $_ for grep { $_ } $ending, $end, @from;
$SIG{HUP} = \&look if $terminal;
$keeper = fork;
exit 126 unless defined $keeper;
my @deaf = (qw(INT QUIT TERM TSTP TTIN TTOU PIPE), $terminal ? () : "HUP");
if ($keeper) {
  $SIG{$_} = "IGNORE" for @deaf;
  look() if $terminal;
  close $end;
  @to = ();
  exit pass_on($ending, @from);
}
@from = ();
close $ending;
unless ($terminal) {
  open(STDOUT, ">&", $to[1]) && open(STDERR, ">&", $to[2]) or exit 126;
  @to = ();
}
adopt();
$shell = fork;
exit 126 unless defined $shell;
if (!$shell) {
  adopt();
  exec { $ARGV[0] } @ARGV;
  exit 126;
}
$SIG{$_} = "IGNORE" for @deaf;
# It may have gone before there was anything to kill.
look() if $terminal;
my $watcher = $watched ? fork : undef;
if (defined $watcher && !$watcher) {
  # Whose keeper was killed is not to be waited for because of this one.
  close $end;
  open($_, ">", "/dev/null") for *STDOUT, *STDERR;
  my $ended = 0;
  while ($ended < 3) {
    my $in = "";
    vec($in, 0, 1) = 1;
    my $found = select($in, undef, undef, $ended ? 0 : undef);
    my $there = pack("i", 0);
    ioctl(STDIN, 0x541b, $there) or exit;
    $ended = $found && !unpack("i", $there) ? $ended + 1 : 0;
    pause(0.1);
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
my ($since, $pause, $looks, $none) = (time, 0.005, 0, 0);
while ($none < 2) {
  $none = strike() ? 0 : $none + 1;
  # What starts others without end is caught by looking often, which nobody can do all the time.
  next if ++$looks % 20;
  pause($pause);
  next if time - $since < 2;
  $pause = $pause < 2 ? $pause * 1.5 : 2;
  next unless $end;
  syswrite($end, chr $code);
  undef $end;
  # Nobody is to wait for this one.
  open(STDIN, "<", "/dev/null");
  open($_, ">", "/dev/null") for *STDOUT, *STDERR;
}
syswrite($end, chr $code) if $end;
